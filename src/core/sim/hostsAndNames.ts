// What becomes of hosts and names in a plan? Which addresses they gain, lose or keep.
import type { IpSet } from '../model/ipam/ipSet.ts'
import { textAt } from '../model/json.ts'
import { nameText } from '../model/names/nameText.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { parseIp } from '../net/ip.ts'
import { namesOfSite } from '../policy/explain/siteAnswers.ts'
import { reservationMessage } from '../policy/ipam/ipSetStatus.ts'
import { nameSources } from '../policy/names/nameProblems.ts'
import { type PodRoutes, podRoutesIn } from './podRoutes.ts'

type HostOutcome = {
  /** `InternalApi 172.17.0.100`, in the order of the status. */
  readonly addresses: readonly string[]
  /** Why it lacks one; empty if it does not. */
  readonly waits: string
}
export type HostsAndNames = {
  readonly hosts: ReadonlyMap<string, HostOutcome>
  /** By `NAMESPACE NAME`: what the DNS servers of the namespace answer. */
  readonly names: ReadonlyMap<string, readonly string[]>
  readonly routes: PodRoutes
}
export type HostChange = {
  /** namespace/name of the IPSet. */
  readonly host: string
  readonly action: 'gain' | 'lose' | 'move' | 'keep' | 'wait'
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly waits: string
}
export type NameChange = {
  readonly name: string
  /** Empty for a name of the Site. */
  readonly namespace: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export function hostsAndNames(world: ReadonlyWorld): HostsAndNames {
  const ipSets = [...world.all('IPSet').values()].sort((one, other) =>
    one.key < other.key ? -1 : 1,
  )
  const hosts = new Map(ipSets.map((one) => [one.key, hostOutcome(one)]))
  return { hosts, names: namesIn(world), routes: podRoutesIn(world) }
}

function hostOutcome({ status }: IpSet): HostOutcome {
  const addresses = status.reservations.map(
    (one) => `${textAt(one, 'network')} ${textAt(one, 'address')}`,
  )
  const isReady = status.conditions.some(
    ({ type, status: is }) => type === 'Ready' && is === 'True',
  )
  const message = reservationMessage(status.conditions)
  return { addresses, waits: isReady ? '' : message || 'no controller has looked at it yet' }
}

function namesIn(world: ReadonlyWorld): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  for (const { namespace, hosts } of nameSources(world)) {
    for (const { ip, hostnames } of hosts) {
      const address = parseIp(ip)
      if (!address.ok) continue
      for (const name of hostnames) {
        const key = `${namespace} ${nameText(name)}`
        found.set(key, (found.get(key) ?? new Set<string>()).add(address.value))
      }
    }
  }
  for (const { name, address } of namesOfSite(world)) {
    found.set(` ${name}`, (found.get(` ${name}`) ?? new Set<string>()).add(address))
  }
  return new Map([...found].map(([key, addresses]) => [key, [...addresses].sort()]))
}

const nothing: HostOutcome = { addresses: [], waits: '' }

export function hostChanges(before: HostsAndNames, after: HostsAndNames): readonly HostChange[] {
  // One that never had an address goes unnoticed.
  const had = [...before.hosts].filter(([, { addresses }]) => addresses.length > 0)
  const keys = [...new Set([...had.map(([key]) => key), ...after.hosts.keys()])].sort()
  return keys.map((host) => {
    const was = before.hosts.get(host) ?? nothing
    const is = after.hosts.get(host) ?? nothing
    const { waits } = is
    return { host, action: actionOf(was, is), before: was.addresses, after: is.addresses, waits }
  })
}

function actionOf(was: HostOutcome, is: HostOutcome): HostChange['action'] {
  const gained = is.addresses.some((one) => !was.addresses.includes(one))
  const lost = was.addresses.some((one) => !is.addresses.includes(one))
  if (gained) return lost ? 'move' : 'gain'
  if (lost) return 'lose'
  return is.waits === '' || is.waits === was.waits ? 'keep' : 'wait'
}

/** Only what differs. */
export function nameChanges(before: HostsAndNames, after: HostsAndNames): readonly NameChange[] {
  const keys = [...new Set([...before.names.keys(), ...after.names.keys()])].sort()
  return keys.flatMap((key) => {
    const [was, is] = [before.names.get(key) ?? [], after.names.get(key) ?? []]
    const [namespace = '', name = ''] = key.split(' ')
    return was.join() === is.join() ? [] : [{ name, namespace, before: was, after: is }]
  })
}
