// How many managers of updates are listed? Of more than ten, the oldest of each version are merged.
import { union } from './fields/combine.ts'
import { nothing } from './fields/fieldSet.ts'
import { compareText } from './managedFields.ts'
import { byTime, type Entry, identityOf, type Managers, type Writer } from './managers.ts'

const maxUpdaters = 10

export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update')
  let excess = updaters.length - maxUpdaters
  if (excess <= 0) return managers
  updaters.sort(([one, left], [other, right]) => byTime(left, right) || compareText(one, other))
  const left = new Map(managers)
  const oldest = new Map<string, string>()
  for (const [identity, entry] of updaters) {
    const first = oldest.get(entry.apiVersion)
    oldest.set(entry.apiVersion, first ?? identity)
    if (first === undefined || identity === identityOf(ancientOf(entry))) continue
    mergeIntoAncient(left, first, entry)
    left.delete(identity)
    excess -= 1
    if (excess === 0) break
  }
  return left
}

const ancientOf = ({ apiVersion }: Entry): Writer => ({
  manager: 'ancient-changes',
  operation: 'Update',
  apiVersion,
  subresource: '',
})

/** Starts with the oldest entry, and has the time of the newest one in it. */
function mergeIntoAncient(managers: Map<string, Entry>, first: string, entry: Entry): void {
  const ancient = ancientOf(entry)
  const identity = identityOf(ancient)
  const before = managers.get(identity) ?? managers.get(first)
  if (!managers.has(identity)) managers.delete(first)
  const fields = union(before?.fields ?? nothing, entry.fields)
  managers.set(identity, { ...ancient, time: entry.time, fields })
}
