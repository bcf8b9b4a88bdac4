// What becomes of a DNSData? A ConfigMap with its hosts, which DNS servers read, and a status that
// says what was left out (R13.1, R13.2).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { Changed } from '../../model/changed.ts'
import type { JsonObject } from '../../model/gate.ts'
import type { DnsData } from '../../model/names/dns.ts'
import { hostsLabel } from '../../model/names/dnsLabels.ts'
import { type LeftOut, linesOf } from '../../model/names/hostLines.ts'
import { hashOfData, hashOfMaps } from '../../model/names/objectHash.ts'
import { refOf } from '../../model/ref.ts'
import { isSame } from '../../model/sameView.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Write } from '../../model/write.ts'
import { counted } from '../../net/counted.ts'
import type { EventWrite, KeptDecider } from '../decider.ts'
import { conditionsAfter, saidError, saidTrue } from '../libConditions.ts'
import { madeFromDns } from './madeFromDns.ts'

export const dnsData: KeptDecider = {
  name: 'dnsdata',
  kind: 'DNSData',
  reads: ['DNSData', 'DNSMasq', 'ConfigMap'],
  isPrompt: true,
  wakes: woken,
  decide: decideDnsData,
}

function woken(changed: Changed, world: ReadonlyWorld): Iterable<string> {
  if (changed.type === 'refusal') return keysNamed(world, changed.key)
  const isBeside = changed.kind === 'ConfigMap' || changed.kind === 'DNSMasq'
  const isConcerned = isBeside && world.all('DNSData').has(changed.key)
  return changed.kind === 'DNSData' || isConcerned ? [changed.key] : []
}

/** A refusal does not say in which namespace. */
const keysNamed = (world: ReadonlyWorld, name: string): string[] =>
  [...world.all('DNSData').values()].filter((one) => one.name === name).map(({ key }) => key)

/**
 * We watch the DNSMasq that has the name, but not its ConfigMap, which goes a moment later, nor
 * anybody else's, which may stay for ever.
 */
function again(world: ReadonlyWorld, key: string) {
  const againWithinS = 30
  return { againInS: world.all('DNSMasq').has(key) ? againWithinS : 1, againWithinS }
}

/** Upstream's; nothing of ours hangs on it. */
const finalizer = 'openstack.org/dnsdata'

function decideDnsData(world: ReadonlyWorld, key: string, now = '') {
  const data = world.all('DNSData').get(key)
  if (data === undefined) return { writes: [] }
  if (data.isGoing) return { writes: farewell(data) }
  const { text, leftOut } = linesOf(data.hosts)
  const content = { [data.name]: text }
  const object = hostsMap(data, content)
  const refusal = world.obstacles.refusalOf(refOf(object), `DNSData/${data.name}`)
  const hash = hashOfData(content)
  const isMade = world.all('ConfigMap').get(key)?.hash === hash
  const made: Write = { type: 'apply', object, isRequired: true }
  // Until it has been seen, a status would be old before it is written.
  if (refusal === undefined && !isMade) return { writes: [made] }
  const why = refusal ?? ''
  const status = statusOf(data, { leftOut, why, hash, now })
  const writes: Write[] = status === undefined ? [made] : [made, status]
  // What is left out is reported once there is a ConfigMap.
  if (refusal !== undefined) return { writes, ...again(world, key) }
  return { writes, events: eventsOf(data, leftOut) }
}

const hostsMap = (data: DnsData, content: JsonObject): JsonObject =>
  madeFromDns(data, {
    apiVersion: apiVersionOf(apiGroups.core),
    kind: 'ConfigMap',
    name: data.name,
    labels: { [hostsLabel]: data.selects.toLowerCase() },
    data: content,
  })

type Rendered = {
  readonly leftOut: readonly LeftOut[]
  /** Why the API refuses the ConfigMap, or empty. */
  readonly why: string
  readonly hash: string
  readonly now: string
}

/** Undefined where the status says so already. */
function statusOf(data: DnsData, { leftOut, why, hash, now }: Rendered): Write | undefined {
  const { kind, name, namespace, generation, status } = data
  const complete =
    leftOut.length === 0 ? inputComplete : `${inputComplete}; ${leftOutText(leftOut)}`
  const config = why === '' ? saidTrue(complete) : saidError(`${configError} ${why}`)
  const fields = {
    conditions: conditionsAfter(status.conditions, { ServiceConfigReady: config }, now),
    hash: why === '' ? hashOfMaps([{ name, hash }]) : status.hash,
    observedGeneration: generation,
  }
  return isSame(fields, status)
    ? undefined
    : { type: 'status', of: { kind, name, namespace }, fields }
}

const inputComplete = 'Input data complete'
const configError = 'Service config create error occurred'
/** A message is read, not scrolled. */
const mostTold = 3

function leftOutText(leftOut: readonly LeftOut[]): string {
  const told = leftOut.slice(0, mostTold).map(({ where, why }) => `${where}: ${why}`)
  const more = leftOut.length - told.length
  return `left out: ${[...told, ...(more > 0 ? [`and ${counted(more, 'other')}`] : [])].join('; ')}`
}

/** Said once. */
function eventsOf({ status }: DnsData, leftOut: readonly LeftOut[]): readonly EventWrite[] {
  if (leftOut.length === 0) return []
  const message = leftOutText(leftOut)
  const before = status.conditions.find(({ type }) => type === 'ServiceConfigReady')?.message
  const isKnown = before?.endsWith(message) === true
  return isKnown ? [] : [{ type: 'Warning', reason: 'HostLeftOut', message }]
}

const farewell = ({ kind, name, namespace, finalizers }: DnsData): Write[] =>
  finalizers.includes(finalizer)
    ? [{ type: 'unfinalize', of: { kind, name, namespace }, finalizers: [finalizer] }]
    : []
