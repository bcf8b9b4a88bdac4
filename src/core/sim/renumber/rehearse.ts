// Does renumbering do what it says? Every write in turn on a simulated cluster, which settles after
// each of them; what each Service had on the way is kept.
import { isRecord, type Json, recordAt, textAt } from '../../model/json.ts'
import type { Key } from '../../model/service.ts'
import type { Cluster } from '../cluster.ts'
import type { Phase, Refused, RenumberWrite } from './renumberWrite.ts'

/** What every Service has, with commas. */
type ShownAddresses = ReadonlyMap<Key, string>

/** After one write: who has other addresses than before it, and what was written. */
type After = { readonly changed: ShownAddresses; readonly object: Json | undefined }

export type Rehearsal = {
  /** The addresses that a Service has one after another, with commas. */
  readonly histories: ReadonlyMap<Key, readonly string[]>
  readonly after: ReadonlyMap<RenumberWrite, After>
  readonly refused: readonly Refused[]
}

/** Also refused if a Service ends up elsewhere, or changes more than once. */
export function rehearse(
  cluster: Cluster,
  phases: readonly Phase[],
  targets: ReadonlyMap<Key, string>,
): Rehearsal {
  const histories = new Map<Key, string[]>()
  const refused: Refused[] = []
  const reasons = new Map<Key, string>()
  const after = new Map<RenumberWrite, After>()
  const note = (): ShownAddresses => {
    const changed = new Map<Key, string>()
    for (const [key, ips] of shownIn(cluster)) {
      const history = histories.get(key) ?? []
      if (history.at(-1) === ips) continue
      histories.set(key, [...history, ips])
      if (targets.has(key)) changed.set(key, ips)
      if (ips === '') reasons.set(key, reasonOf(cluster.get(`Service/${key}`)))
    }
    return changed
  }
  note()
  const writes = phases.flatMap((phase) => phase.writes)
  for (const write of writes) {
    refused.push(...rehearseOne(cluster, write))
    after.set(write, { changed: note(), object: cluster.get(write.id) })
  }
  if (refused.length === 0 && writes.length > 0) {
    for (const [key, target] of targets) {
      const [history, why] = [histories.get(key) ?? [], reasons.get(key) ?? '']
      refused.push(...astray({ key, target, history, why }))
    }
  }
  return { histories, after, refused }
}

const shownIn = ({ world }: Cluster): ShownAddresses =>
  new Map(
    [...world.services]
      .filter(([, service]) => world.isOurs(service))
      .map(([key]) => [key, (world.holdingOf(key)?.ips ?? []).join(',')] as const),
  )

type Way = {
  readonly key: Key
  readonly target: string
  readonly history: readonly string[]
  /** Why it lost its address, if it did. */
  readonly why: string
}

function astray({ key, target, history, why }: Way): readonly Refused[] {
  const [id, end] = [`Service/${key}`, history.at(-1) || 'no address']
  const way = history.map((ips) => ips || 'none').join(' -> ')
  if (end !== target) {
    return [
      {
        id,
        path: 'status',
        message: `it would end with ${end}, not with ${target}: ${why || way}`,
      },
    ]
  }
  if (history.length <= 2) return []
  return [{ id, path: 'status', message: `it would change more than once: ${way}` }]
}

/** Why it has no address, in the controller's words. */
function reasonOf(service: Json | undefined): string {
  const { conditions } = recordAt(service, 'status')
  const all = Array.isArray(conditions) ? conditions.filter(isRecord) : []
  return textAt(
    all.find((one) => textAt(one, 'status') === 'False'),
    'message',
  )
}

/** One write, and what follows from it. */
function rehearseOne(cluster: Cluster, { id, change }: RenumberWrite): readonly Refused[] {
  const there = cluster.get(id)
  const { status: _, ...before } = there ?? {}
  const wanted: Json | undefined = change(there === undefined ? undefined : before)
  if (wanted === undefined) {
    const errors = there === undefined ? [] : cluster.delete(id)
    cluster.settle()
    return errors.map(({ path, message }) => ({ id, path, message }))
  }
  const applied = cluster.apply(wanted)
  cluster.settle()
  return applied.ok ? [] : applied.errors.map(({ path, message }) => ({ id, path, message }))
}
