// How do decisions reach the API, and how is what it refused read again? Replies enter the World at
// once, so that no decision waits for the watch.
import {
  type AddressView,
  type Holder,
  hasSameTerms,
  isSameHolder,
  keyOfHolder,
} from '../../core/model/address.ts'
import type { Key, ServiceView } from '../../core/model/service.ts'
import type { World } from '../../core/model/world.ts'
import { nameOfAddress } from '../../core/net/addressName.ts'
import type { Ip } from '../../core/net/ip.ts'
import type { AddressWrite, ServiceWrite } from '../../core/policy/claims.ts'
import type { RecordDecider } from '../../core/policy/decider.ts'
import type { Api, ApiRequest } from '../../edge/kube/api/client.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { isObjectGone } from '../../edge/kube/api/notFound.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { enter } from '../../edge/kube/feed/validatedSink.ts'
import type { Versions } from '../../edge/kube/feed/versions.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'
import { Outdated } from '../../edge/kube/write/writePace.ts'
import { addressCall, addresses, renewCall } from './addressCall.ts'
import { ClaimBook, claimText } from './claimBook.ts'
import { servicePatch, touchPatch } from './servicePatch.ts'

type RecordParts = {
  readonly api: Api
  readonly world: World
  readonly decider: RecordDecider
  readonly versions: Versions
  /** Asked before every write: false past the renew deadline. */
  readonly mayWrite: () => boolean
  /** RFC 3339, of the machine's clock: for transition times alone. */
  readonly timestamp: () => string
  readonly sleep: (ms: number) => Promise<void>
}

const services = resourceOf('Service')
const strategic = 'application/strategic-merge-patch+json'

export class Records {
  readonly #parts: RecordParts
  readonly #book = new ClaimBook()
  readonly #lines = new Map<Ip, Promise<void>>()

  constructor(parts: RecordParts) {
    this.#parts = parts
  }

  /** Makes the record of the address right. */
  record(ip: Ip): Promise<void> {
    return this.#inLine(ip, () => this.#put(ip))
  }

  /** The same; a record that the Service does not show yet is written for this version of it. */
  claim(ip: Ip, service: ServiceView): Promise<void> {
    return this.#inLine(ip, async () => {
      const { world } = this.#parts
      await this.#put(ip)
      const before = world.all('Address').get(nameOfAddress(ip))
      const isThere = before?.holders.some((one) => isAsDecided(one, service))
      if (before === undefined || !isThere) throw new Outdated(`Address ${ip}: not claimed`)
      if (service.ingress.includes(ip) || this.#book.isClaimedFor(before.name, service)) return
      this.#wrote(before, await this.#send(renewCall(before, claimText(service))))
    })
  }

  async writeService(view: ServiceView, write: ServiceWrite, ips: readonly Ip[]): Promise<void> {
    const { world, timestamp } = this.#parts
    const records = ips.flatMap((ip) => world.all('Address').get(nameOfAddress(ip)) ?? [])
    const after = await this.#patchStatus(view, servicePatch(view, write, timestamp()))
    for (const record of records) {
      this.#book.settle(record.name, view.uid)
      if (after?.ingress.includes(record.address) === false) this.#book.part(record, view.uid)
    }
  }

  /** A refused claim counts as held until its Address has been read; throws when that fails. */
  async readAgain(key: Key | undefined, ips: readonly Ip[]): Promise<void> {
    for (const ip of ips) await this.#read('Address', nameOfAddress(ip))
    if (key !== undefined) await this.#read('Service', key)
  }

  /** Writes of one address go one after another: each sees what the one before it did. */
  #inLine(ip: Ip, write: () => Promise<unknown>): Promise<void> {
    const before = this.#lines.get(ip) ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(async () => void (await write()))
    this.#lines.set(ip, mine)
    const leave = () => {
      if (this.#lines.get(ip) === mine) this.#lines.delete(ip)
    }
    mine.then(leave, leave)
    return mine
  }

  async #put(ip: Ip): Promise<void> {
    const { world, versions, decider } = this.#parts
    const write = decider.record(world, ip)
    if (write === undefined) return
    const before = world.all('Address').get(write.name)
    if (before !== undefined) await this.#verified(ip, before, write)
    const holders = holdersOf(write).flatMap((one) => world.services.get(keyOfHolder(one)) ?? [])
    const known = versions.known('Address', write.name)
    const reply = await this.#send(addressCall(write, before))
    // While somebody's finalizer keeps it, what a deletion answers is the object.
    const isGone = write.type === 'delete' && decode(reply).kind !== 'view'
    if (isGone) this.#removed(write.name, known)
    else this.#wrote(before, reply)
    for (const holder of holders) {
      if (!holder.ingress.includes(ip)) this.#book.claim(write.name, holder)
    }
  }

  /** Verifying takes a while, and the decision may have changed by then. */
  async #verified(ip: Ip, before: AddressView, write: AddressWrite): Promise<void> {
    await this.#verify(before, write)
    const { world, decider } = this.#parts
    if (JSON.stringify(decider.record(world, ip)) === JSON.stringify(write)) return
    throw new Outdated(`Address ${write.name}: its holders have changed`)
  }

  #removed(name: string, known: number | undefined): void {
    this.#book.forget(name)
    this.#forget('Address', name, known)
  }

  /** The answer may be older than what the watch has told since the request: then that stands. */
  #forget(kind: 'Address' | 'Service', key: string, known: number | undefined): void {
    const { world, versions } = this.#parts
    if (versions.gone(kind, key, known)) world.apply({ type: 'delete', kind, key })
  }

  #wrote(before: AddressView | undefined, reply: unknown): void {
    const after = this.#enter(reply)
    if (after?.kind !== 'Address' || before === undefined) return
    this.#book.follow(before, after)
  }

  /** No entry is changed or removed on the word of the cache alone (R3.12). */
  async #verify(before: AddressView, write: AddressWrite): Promise<void> {
    const after = new Map(holdersOf(write).map((one) => [one.uid, one]))
    for (const holder of before.holders) {
      const kept = after.get(holder.uid)
      if (kept === undefined || !isSameHolder(kept, holder)) await this.#letGo(before, holder)
      else if (!hasSameTerms(kept, holder)) await this.#compareTerms(kept)
    }
  }

  /** Another leader may have recorded newer ones, and given the old ones to somebody else. */
  async #compareTerms(holder: Holder): Promise<void> {
    const service = await this.#read('Service', keyOfHolder(holder))
    if (service?.kind !== 'Service' || isAsDecided(holder, service)) return
    throw new Outdated(`Service ${service.key}: its ports have changed`)
  }

  /**
   * A holder goes when its Service is gone, another's or not ours any more; else only after a write
   * that changed the Service's version, so that an old decision cannot show the address afterwards.
   */
  async #letGo(record: AddressView, holder: Holder): Promise<void> {
    const { world } = this.#parts
    if (holder.kind !== 'Service' || this.#book.hasParted(record, holder.uid)) return
    const service = await this.#read('Service', keyOfHolder(holder))
    if (service?.kind !== 'Service' || service.uid !== holder.uid) return
    if (!world.isOurs(service)) return
    if (service.ingress.includes(record.address)) {
      throw new Outdated(`Address ${record.name}: Service ${service.key} shows it`)
    }
    await this.#touch(service)
    this.#book.part(record, holder.uid)
  }

  /** Times are in whole seconds: within the same one the first write changes nothing. */
  async #touch(service: ServiceView): Promise<void> {
    const { timestamp, sleep } = this.#parts
    for (let attempt = 0; attempt < 3; attempt++) {
      const after = await this.#patchStatus(service, touchPatch(service, timestamp()))
      if (after?.resourceVersion !== service.resourceVersion) return
      await sleep(1_000)
    }
    throw new Fault(`Service ${service.key}: its version does not change`)
  }

  async #patchStatus(view: ServiceView, body: object): Promise<ServiceView | undefined> {
    const path = pathOf({ ...services, namespace: view.namespace }, view.name, 'status')
    const reply = await this.#send({ method: 'PATCH', path, contentType: strategic, body })
    const after = this.#enter(reply)
    return after?.kind === 'Service' ? after : undefined
  }

  async #send(request: ApiRequest): Promise<unknown> {
    const { api, mayWrite } = this.#parts
    if (!mayWrite()) throw new Outdated(`${request.method} ${request.path}: not ours to write now`)
    return api.call(request)
  }

  async #read(kind: 'Address' | 'Service', key: string) {
    const { api, versions } = this.#parts
    const known = versions.known(kind, key)
    const [first = '', second] = key.split('/')
    const path =
      kind === 'Address'
        ? pathOf(addresses, key)
        : pathOf({ ...services, namespace: first }, second)
    try {
      return this.#enter(await api.call({ method: 'GET', path }))
    } catch (error) {
      if (!isObjectGone(error, second ?? first)) throw error
      this.#forget(kind, key, known)
      return undefined
    }
  }

  /** What is older than what we know is no news, but still what the API answered. */
  #enter(json: unknown) {
    const { world, versions } = this.#parts
    const decoded = decode(json)
    if (decoded.kind !== 'view') return undefined
    const { view } = decoded
    if (versions.isNewsAnswered(view, json)) enter(world, view)
    return view
  }
}

const holdersOf = (write: AddressWrite): readonly Holder[] =>
  write.type === 'delete' ? [] : write.spec.holders

/** Not where another came first: then the Address still says what it said. */
const isAsDecided = (one: Holder, { uid, ports, backend }: ServiceView): boolean =>
  one.uid === uid && hasSameTerms(one, { ports, backend })
