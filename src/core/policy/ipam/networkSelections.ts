// Which attachments does a pod ask for? The annotation k8s.v1.cni.cncf.io/networks, as JSON or as
// `namespace/name@interface` with commas between them, which say the same.
import type { JsonObject } from '../../model/gate.ts'
import { isRecord, textAt } from '../../model/json.ts'

export const networksAnnotation = 'k8s.v1.cni.cncf.io/networks'

/** An entry, as JSON that can be written back. */
export type Selection = JsonObject

/** Undefined where it cannot be read. `parse` is JSON's, which answers undefined for no JSON. */
export function selectionsIn(
  text: string,
  parse: (text: string) => unknown,
): readonly Selection[] | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('[')) return trimmed.split(',').flatMap((part) => shortOf(part.trim()))
  const listed = parse(trimmed)
  if (!Array.isArray(listed) || !listed.every(isRecord)) return undefined
  return listed
}

function shortOf(text: string): readonly Selection[] {
  const [place = '', wanted = ''] = text.split('@')
  const [one = '', name] = place.split('/')
  if (place === '') return []
  return [
    {
      name: name ?? one,
      ...(name === undefined ? {} : { namespace: one }),
      ...(wanted === '' ? {} : { interface: wanted }),
    },
  ]
}

export const attachmentOf = (selection: Selection, namespace: string): string =>
  `${textAt(selection, 'namespace') || namespace}/${textAt(selection, 'name')}`

/** As long as the kernel allows. */
const mostInName = 15

/** With what operators write beside the name: the interface, and the default route. */
export function completedSelection(
  selection: Selection,
  others: readonly Selection[],
  { ip, gateway }: { readonly ip: string; readonly gateway: string },
): Selection {
  const wanted = textAt(selection, 'interface') || textAt(selection, 'name')
  const device = wanted.slice(0, mostInName)
  const isFree = others.every((other) => other === selection || deviceOf(other) !== device)
  const hasRoute = Array.isArray(selection['default-route'])
  return {
    ...selection,
    ...(isFree ? { interface: device } : {}),
    ips: [ip],
    ...(gateway === '' || hasRoute ? {} : { 'default-route': [gateway] }),
  }
}

const deviceOf = (selection: Selection): string =>
  textAt(selection, 'interface').slice(0, mostInName)
