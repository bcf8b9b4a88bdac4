// What of MetalLB has to be put back on the way back? Its webhooks and its conversion, kept in a
// ConfigMap from before the switch.

import { pathOf } from '../../../../edge/kube/api/resource.ts'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { resourceOf, typeOf } from '../../../../edge/kube/kinds.ts'
import { notesName } from './progress.ts'
import { readOne, type Walk } from './walk.ts'

type Json = Readonly<Record<string, unknown>>
type Notes = { readonly webhooks: readonly Json[]; readonly conversion: Json | undefined }

/** Written before anything is taken away; what was noted once stays. */
export async function writeNotes(walk: Walk, notes: Notes): Promise<void> {
  const { api, namespace } = walk
  if ((await readOne(walk, { kind: 'ConfigMap', name: notesName, namespace })) !== undefined) return
  await api.call({
    method: 'POST',
    path: pathOf(resourceOf('ConfigMap', namespace)),
    body: {
      ...typeOf('ConfigMap'),
      metadata: { name: notesName, namespace },
      data: { notes: JSON.stringify({ ...notes, webhooks: notes.webhooks.map(bare) }) },
    },
  })
}

export async function readNotes(walk: Walk): Promise<Notes> {
  const { namespace } = walk
  const found = await readOne(walk, { kind: 'ConfigMap', name: notesName, namespace })
  const text = found?.inner('data').text('notes') || '{}'
  const notes = new Fields(JSON.parse(text), [])
  return {
    webhooks: notes.each('webhooks').map(({ json }) => json),
    conversion: notes.has('conversion') ? notes.inner('conversion').json : undefined,
  }
}

/** As it can be created again. */
function bare(json: Json): Json {
  const { name, labels, annotations } = metaOf(new Fields(json, []))
  return { ...json, metadata: { name, labels, annotations } }
}
