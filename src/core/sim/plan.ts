// What would a change do? The difference of two snapshots: addresses, announcements, problems.
import type { Problem } from '../model/problem.ts'
import type { Key } from '../model/service.ts'
import type { Announced, Snapshot, Standing } from './snapshot.ts'

export type AddressChange = {
  readonly service: Key
  readonly action: 'gain' | 'lose' | 'move' | 'keep' | 'wait'
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly pool: string
  readonly waits: Standing['waits']
}
export type AnnouncementChange = {
  readonly action: 'announce' | 'withdraw' | 'change'
  readonly before: Announced | undefined
  readonly after: Announced | undefined
}
export type ProblemChange = { readonly problem: Problem; readonly is: 'new' | 'gone' | 'there' }
export type Plan = {
  readonly addresses: readonly AddressChange[]
  readonly announcements: readonly AnnouncementChange[]
  readonly problems: readonly ProblemChange[]
}

export function planOf(before: Snapshot, after: Snapshot): Plan {
  return {
    addresses: addressChanges(before, after),
    announcements: announcementChanges(before, after),
    problems: problemChanges(before, after),
  }
}

export const changesAnything = ({ addresses, announcements }: Plan): boolean =>
  announcements.length > 0 || addresses.some(({ action }) => !['keep', 'wait'].includes(action))

const nobody: Standing = { ips: [], pool: '', waits: undefined }

function addressChanges(before: Snapshot, after: Snapshot): AddressChange[] {
  const keys = [...new Set([...before.services.keys(), ...after.services.keys()])].sort()
  return keys.map((service) => {
    const was = before.services.get(service) ?? nobody
    const is = after.services.get(service) ?? nobody
    const action = actionOf(was, is)
    return { service, action, before: was.ips, after: is.ips, pool: is.pool, waits: is.waits }
  })
}

function actionOf(was: Standing, is: Standing): AddressChange['action'] {
  const gained = is.ips.filter((ip) => !was.ips.includes(ip))
  const lost = was.ips.filter((ip) => !is.ips.includes(ip))
  if (gained.length > 0 && lost.length > 0) return 'move'
  if (gained.length > 0) return 'gain'
  if (lost.length > 0) return 'lose'
  return is.waits === undefined ? 'keep' : 'wait'
}

function announcementChanges(before: Snapshot, after: Snapshot): AnnouncementChange[] {
  const names = [...new Set([...before.announced.keys(), ...after.announced.keys()])].sort()
  return names.flatMap((name): AnnouncementChange[] => {
    const [was, is] = [before.announced.get(name), after.announced.get(name)]
    if (was === undefined) return [{ action: 'announce', before: was, after: is }]
    if (is === undefined) return [{ action: 'withdraw', before: was, after: is }]
    const isSame = JSON.stringify(was.routes) === JSON.stringify(is.routes)
    return isSame ? [] : [{ action: 'change', before: was, after: is }]
  })
}

function problemChanges(before: Snapshot, after: Snapshot): ProblemChange[] {
  const text = ({ code, object, message }: Problem) => `${code} ${object} ${message}`
  const was = new Set(before.problems.map(text))
  const is = new Set(after.problems.map(text))
  return [
    ...after.problems.map((problem) => ({
      problem,
      is: was.has(text(problem)) ? ('there' as const) : ('new' as const),
    })),
    ...before.problems
      .filter((problem) => !is.has(text(problem)))
      .map((problem) => ({ problem, is: 'gone' as const })),
  ]
}
