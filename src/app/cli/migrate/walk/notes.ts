// What of MetalLB has to be put back on the way back? Its webhooks and its conversion, kept in a
// ConfigMap from before the switch.

import { ifNew } from '../../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../../edge/kube/api/resource.ts'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { resourceOf, typeOf } from '../../../../edge/kube/kinds.ts'
import { notesName } from './progress.ts'
import { change, readOne, type Walk } from './walk.ts'

type Json = Readonly<Record<string, unknown>>
type Notes = { readonly webhooks: readonly Json[]; readonly conversion: Json | undefined }

const notes = 'notes'

/** Written before anything is taken away; what was noted once stays. */
export async function writeNotes(walk: Walk, { webhooks, conversion }: Notes): Promise<void> {
  if ((await readNote(walk, notes)) !== undefined) return
  await writeNote(walk, notes, JSON.stringify({ conversion, webhooks: webhooks.map(bare) }))
}

export async function readNotes(walk: Walk): Promise<Notes> {
  const noted = new Fields(JSON.parse((await readNote(walk, notes)) ?? '{}'), [])
  return {
    webhooks: noted.each('webhooks').map(({ json }) => json),
    conversion: noted.has('conversion') ? noted.inner('conversion').json : undefined,
  }
}

const place = ({ namespace }: Walk) => ({ kind: 'ConfigMap', name: notesName, namespace }) as const

export async function readNote(walk: Walk, key: string): Promise<string | undefined> {
  const text = (await readOne(walk, place(walk)))?.inner('data').text(key) ?? ''
  return text === '' ? undefined : text
}

/** Undefined takes it away; then nothing is created for it. */
export async function writeNote(walk: Walk, key: string, text: string | undefined): Promise<void> {
  const { name, namespace, kind } = place(walk)
  if ((await readOne(walk, place(walk))) === undefined) {
    if (text === undefined) return
    const body = { ...typeOf(kind), metadata: { name, namespace } }
    const path = pathOf(resourceOf(kind, namespace))
    await ifNew(walk.api.call({ method: 'POST', path, body }))
  }
  await change(walk, place(walk), (map) => {
    const { [key]: _, ...others } = new Fields(map, []).labels('data')
    return { ...map, data: text === undefined ? others : { ...others, [key]: text } }
  })
}

/** As it can be created again. */
function bare(json: Json): Json {
  const { name, labels, annotations } = metaOf(new Fields(json, []))
  return { ...json, metadata: { name, labels, annotations } }
}
