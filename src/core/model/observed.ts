// What does the API show that a Service holds? What its status shows, else what Addresses record
// of it (R3.9). A decision counts instead of it until this shows the same.
import type { Ip } from '../net/ip.ts'
import { type Holding, isSameHolding } from './ledger.ts'
import type { Claim } from './slot.ts'
import type { Claimed } from './viewStore.ts'

/** `isRecorded`: Addresses name the Service for all of it, under these terms. */
export type Observed = Holding & { readonly isRecorded: boolean }

/** `shown`: of the status, as far as it counts; `claimed`: what Addresses say of this Service. */
export function observed(
  claim: Claim,
  shown: readonly Ip[],
  claimed: readonly Claimed[],
): Observed | undefined {
  const said = claimed.map(({ address }) => address.address)
  const ips = shown.length > 0 ? shown : said
  const [record] = claimed
  if (ips.length === 0) return undefined
  if (record === undefined || !ips.every((ip) => said.includes(ip))) {
    return { ips, claim, isRecorded: false }
  }
  const { sharingKey } = record.address
  const { ports, backend } = record.holder
  return { ips, claim: { ...claim, ports, backend, sharingKey }, isRecorded: true }
}

/** Whether what was decided is what can be seen, so that nothing of it is left to be done. */
export const isDone = (decided: Holding, seen: Observed | undefined): boolean =>
  decided.ips.length === 0
    ? seen === undefined
    : seen?.isRecorded === true && isSameHolding(decided, seen)
