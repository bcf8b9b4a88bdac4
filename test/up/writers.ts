// Who writes while the API is killed? Several clients, each on objects of its own, all on one
// counter, and with owners whose deletion takes others along.
import type { Api } from '../../src/edge/kube/api/client.ts'
import { ApiError, Fault } from '../../src/edge/kube/api/fault.ts'
import { apply, core, type KubeObject, merge, verbs } from '../kube/cluster.ts'
import { pick } from '../kube/seeded.ts'
import { bodyOf, type Entry, type Ledger, type Plural } from './ledger.ts'

const namespace = 'default'
const slots = 12
const counter = 'counter'

/** What several write at once: no increment that was acknowledged is lost. */
export type Count = { acknowledged: number; underWay: number }

export type Load = {
  readonly ledger: Ledger
  readonly count: Count
  /** After each answer. */
  readonly answered: () => void
}

/** Goes on until the API is no more. */
export async function writeOn(
  api: Api,
  writer: string,
  { load: work, random }: { load: Load; random: () => number },
): Promise<void> {
  try {
    for (;;) {
      const what = random()
      if (what < 0.12) await increment(api, work)
      else if (what < 0.16) await leave(api, `${writer}-${work.ledger.nextTurn()}`)
      else await writeOne(api, writer, { load: work, random })
      work.answered()
    }
  } catch (error) {
    // A refusal is an answer: none was to be expected.
    if (error instanceof ApiError || !(error instanceof Fault)) throw error
  }
}

async function writeOne(
  api: Api,
  writer: string,
  { load: { ledger }, random }: { load: Load; random: () => number },
): Promise<void> {
  const plural: Plural = random() < 0.6 ? 'configmaps' : 'services'
  const entry = ledger.entry(plural, `${writer}-${pick(random, slots)}`)
  const isThere = entry.turns[0] !== 0
  const turn = isThere && random() < 0.25 ? 0 : ledger.nextTurn()
  // Of all sizes: many in a page of the file, and one over several.
  const body = bodyOf(entry, turn, Math.floor(random() ** 3 * 9_000))
  const way = random()
  ledger.asked(entry, turn)
  const objects = verbs(api, core(plural, namespace))
  if (turn === 0) {
    await objects.remove(entry.name)
    // Its revision is told by the watch alone.
    ledger.answered(entry, 0, nothing)
  } else ledger.answered(entry, turn, await put(objects, { entry, body, isThere, way }))
}

const nothing = { metadata: { name: '', uid: '', resourceVersion: '0', creationTimestamp: '' } }

type Put = {
  readonly entry: Entry
  readonly body: object
  readonly isThere: boolean
  readonly way: number
}

function put(objects: ReturnType<typeof verbs>, { entry, body, isThere, way }: Put) {
  const { plural, name } = entry
  const query = { fieldManager: 'load', force: 'true' }
  // An applied list keeps the ports that were written in another way.
  const isWhole = plural === 'configmaps' || !isThere
  if (way < 0.2 && isWhole) return objects.patch(name, { type: apply, body, query })
  if (!isThere) return objects.create(body)
  if (way < 0.5 && isWhole) return objects.replace(name, body)
  return objects.patch(name, { type: merge, body })
}

/** Each on what it has read: whoever was not the first reads again. */
async function increment(api: Api, { count }: Load): Promise<void> {
  const objects = verbs(api, core('configmaps', 'kube-system'))
  const metadata = { name: counter }
  const found = await objects.get(counter).catch(unless(404))
  const value = countIn(found)
  const data = { count: `${value + 1}` }
  count.underWay += 1
  const done = await (found === undefined
    ? objects.create({ metadata, data })
    : objects.replace(counter, { ...found, data })
  ).catch(unless(409))
  count.underWay -= 1
  if (done !== undefined) count.acknowledged += 1
}

export async function countNow(api: Api): Promise<number> {
  return countIn(
    await verbs(api, core('configmaps', 'kube-system')).get(counter).catch(unless(404)),
  )
}

const countIn = (found: KubeObject | undefined): number => Number(found?.data?.['count'] ?? 0)

const unless =
  (code: number) =>
  (error: unknown): undefined => {
    if (!(error instanceof ApiError) || error.code !== code) throw error
  }

/** An owner and what belongs to it; then the owner is deleted, and the rest has to follow. */
async function leave(api: Api, name: string): Promise<void> {
  const objects = verbs(api, core('configmaps', 'kube-public'))
  const { metadata } = await objects.create({ metadata: { name: `owner-${name}` } })
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid }
  await objects.create({ metadata: { name: `owned-${name}`, ownerReferences: [owner] } })
  await objects.remove(metadata.name)
}
