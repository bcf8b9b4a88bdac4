// How many managers of updates are listed? Of more than ten, the oldest of each version are merged.
import { unionOf } from './fields/combine.ts'
import { type FieldSet, nothing } from './fields/fieldSet.ts'
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
  const merged = new Map<string, FieldSet[]>()
  for (const [identity, entry] of updaters) {
    const first = oldest.get(entry.apiVersion)
    oldest.set(entry.apiVersion, first ?? identity)
    if (first === undefined || identity === identityOf(ancientOf(entry))) continue
    const ancient = identityOf(ancientOf(entry))
    const sets = merged.get(ancient) ?? [startOfAncient(left, first, entry)]
    sets.push(entry.fields)
    merged.set(ancient, sets)
    // It has the time of the newest one in it.
    left.set(ancient, { ...ancientOf(entry), time: entry.time, fields: nothing })
    left.delete(identity)
    excess -= 1
    if (excess === 0) break
  }
  for (const [ancient, sets] of merged) {
    const entry = left.get(ancient)
    if (entry !== undefined) left.set(ancient, { ...entry, fields: unionOf(sets) })
  }
  return left
}

const ancientOf = ({ apiVersion }: Entry): Writer => ({
  manager: 'ancient-changes',
  operation: 'Update',
  apiVersion,
  subresource: '',
})

/** The fields of the entry that there is, or of the oldest one, which it then replaces. */
function startOfAncient(managers: Map<string, Entry>, first: string, entry: Entry): FieldSet {
  const known = managers.get(identityOf(ancientOf(entry)))
  const { fields } = known ?? managers.get(first) ?? { fields: nothing }
  if (known === undefined) managers.delete(first)
  return fields
}
