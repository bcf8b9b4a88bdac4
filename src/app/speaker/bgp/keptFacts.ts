// What does a host know of itself, apart from what is gone for a moment? A default route or an
// address that a DHCP client renews comes back, and no session should end for it (R8.17).
import { familyOf } from '../../../core/net/ip.ts'
import type { HostFacts } from '../../../core/policy/announce/nodeValue.ts'
import { defaultGateways } from '../../../edge/host/defaultGateways.ts'
import { ownAddresses } from '../../../edge/host/ownAddresses.ts'

type Kept<Fact> = {
  readonly fact: Fact
  /** Since when it is missed; undefined: it is there. */
  readonly missedMs: number | undefined
}
type Gateway = HostFacts['gateways'][number]
type Address = HostFacts['addresses'][number]

/** Longer than renewing a lease or restarting a network manager takes. */
const keepMs = 30_000

const hostFacts = (): HostFacts => ({
  addresses: ownAddresses(),
  gateways: defaultGateways(),
})

export class KeptFacts {
  readonly #nowMs: () => number
  readonly #read: () => HostFacts
  #gateways: readonly Kept<Gateway>[] = []
  #addresses: readonly Kept<Address>[] = []

  constructor(nowMs: () => number, read: () => HostFacts = hostFacts) {
    this.#nowMs = nowMs
    this.#read = read
  }

  /** In the order of the kernel; what is missed has its place still. */
  now(): HostFacts {
    const { gateways, addresses } = this.#read()
    this.#gateways = this.#merged(this.#gateways, gateways, isReplaced)
    this.#addresses = this.#merged(this.#addresses, addresses, isSameAddress)
    const factsIn = <Fact>(kept: readonly Kept<Fact>[]) => kept.map(({ fact }) => fact)
    return { gateways: factsIn(this.#gateways), addresses: factsIn(this.#addresses) }
  }

  #merged<Fact>(
    before: readonly Kept<Fact>[],
    found: readonly Fact[],
    isThere: (one: Fact, other: Fact) => boolean,
  ): readonly Kept<Fact>[] {
    const nowMs = this.#nowMs()
    const all: Kept<Fact>[] = found.map((fact) => ({ fact, missedMs: undefined }))
    before.forEach((one, at) => {
      if (found.some((fact) => isThere(one.fact, fact))) return
      // It may not have been read for a while.
      const missedMs = one.missedMs ?? nowMs
      if (nowMs - missedMs < keepMs) all.splice(at, 0, { ...one, missedMs })
    })
    return all
  }
}

/** Of the family and interface there is one, be it the same or another. */
const isReplaced = (one: Gateway, other: Gateway): boolean =>
  one.interface === other.interface && familyOf(one.address) === familyOf(other.address)

const isSameAddress = (one: Address, other: Address): boolean =>
  one.interface === other.interface && one.address === other.address
