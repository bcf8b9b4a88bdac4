// May a Service hold an address beside those who hold it already? (M3.4, R4.6, R3.11)

import { no, type Verdict, yes } from '../model/reason.ts'
import { type Claim, groupOf, type ReadonlySlot } from '../model/slot.ts'
import type { Ip } from '../net/ip.ts'

/** Evaluated against what the others claimed, in the order of R7. */
export function mayJoin(slot: ReadonlySlot, claim: Claim): Verdict {
  const others = slot.holders.size - (slot.holders.has(claim.key) ? 1 : 0)
  if (others === 0) return yes
  if (!slot.isMixed && claim.sharingKey !== '' && groupOf(claim) === slot.group) {
    return portsAreFree(slot, claim)
  }
  return objectionOfFirst(slot, claim)
}

/** By name of the holder; there can be thousands, so they are not sorted. */
function objectionOfFirst(slot: ReadonlySlot, claim: Claim): Verdict {
  let [first, verdict]: [string | undefined, Verdict] = [undefined, yes]
  for (const other of slot.holders.values()) {
    const { key } = other
    if (key === claim.key || (first !== undefined && first < key)) continue
    const answer = mayShare(slot.ip, claim, other)
    if (!answer.ok) [first, verdict] = [key, answer]
  }
  return verdict
}

/** Two holders of one address, in the order of R7. */
export function mayShare(ip: Ip, claim: Claim, other: Claim): Verdict {
  if (claim.sharingKey === '' || other.sharingKey === '') {
    return no('address-taken', `${ip} is held by ${other.key}`)
  }
  if (claim.tenant !== other.tenant) {
    const whose = other.tenant === '' ? 'no tenant' : `tenant ${other.tenant}`
    return no('sharing-across-tenants', `${ip} is held by ${other.key} of ${whose}`)
  }
  if (claim.sharingKey !== other.sharingKey) {
    const message = `${ip} is held by ${other.key} with the sharing key "${other.sharingKey}"`
    return no('sharing-key-differs', message)
  }
  if (claim.backend !== other.backend) {
    const message = `${ip} is held by ${other.key} with another externalTrafficPolicy or selector`
    return no('sharing-policy-differs', message)
  }
  const used = new Set(other.ports)
  const port = claim.ports.find((one) => used.has(one))
  return port === undefined ? yes : portTaken(ip, port, other.key)
}

function portsAreFree(slot: ReadonlySlot, claim: Claim): Verdict {
  for (const port of claim.ports) {
    const user = slot.ports.get(port)
    if (user !== undefined && user !== claim.key) return portTaken(slot.ip, port, user)
  }
  return yes
}

const portTaken = (ip: Ip, port: string, user: string): Verdict =>
  no('sharing-port-taken', `port ${port} is already in use on ${ip} by ${user}`)
