// How does an API become as it was before a scenario? Services and IPSets go first, since others
// stay for as long as these hold addresses; what uses a profile goes before the profile.
import { recordAt } from '../../../core/model/json.ts'
import { idOf } from '../../../core/sim/objects.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { settled } from './liveCluster.ts'
import type { LiveObjects } from './liveObjects.ts'
import type { Target } from './target.ts'

const order: readonly ((kind: string) => boolean)[] = [
  (kind) => kind === 'Service' || kind === 'IPSet',
  (kind) => !['Service', 'IPSet', 'BFDProfile', 'Namespace'].includes(kind),
  (kind) => kind === 'BFDProfile',
]

export async function clean(target: Target, objects: LiveObjects): Promise<void> {
  for (const isNow of order) {
    const ids = [...objects.made].filter(([, { served }]) => isNow(served.kind)).map(([id]) => id)
    const done = await objects.delete(ids)
    const refused = done.refusals.find((text) => !isGone(text))
    if (refused !== undefined) throw new Fault(`cannot be removed after the scenario: ${refused}`)
    if (ids.length > 0) await settled(target, objects, done.written)
  }
  await forgetKept(target, objects)
  // A namespace takes seconds to go: it loses what the scenario said of it, and is used again.
  const namespaces = [...objects.made.values()].filter(({ served }) => served.kind === 'Namespace')
  for (const { manifest } of namespaces) {
    const { apiVersion, kind, metadata } = manifest
    await objects.apply({ apiVersion, kind, metadata: { name: Object(metadata).name } })
  }
}

/** What is kept for an IPSet that may come back (R12.9) would be kept from the next scenario. */
async function forgetKept(target: Target, objects: LiveObjects): Promise<void> {
  const blocks = await objects.listOf('AddressBlock')
  const mine = blocks.filter((block) =>
    new Fields(recordAt(block, 'spec'), [])
      .each('holders')
      .every((holder) => target.isOwn || target.namespaces.has(holder.text('namespace'))),
  )
  if (mine.length === 0) return
  await objects.delete(mine.map(idOf))
  await settled(target, objects, [{ kind: 'AddressBlock', isLess: true }])
}

/** Its owner took it along. */
const isGone = (refusal: string): boolean => refusal.endsWith(' is not there')

/** Those of a scenario would be told to the next one that uses the namespace. */
export async function cleanEvents({ api }: Target, namespaces: Iterable<string>): Promise<void> {
  await Promise.all(
    [...namespaces].map((namespace) => {
      const path = pathOf({ ...resourceOf('Event'), namespace })
      return api.call({ method: 'DELETE', path, answer: 'none' })
    }),
  )
}
