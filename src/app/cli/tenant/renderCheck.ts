// berth tenant render --check: what is missing, different or no longer wanted, in the running API
// or in the file that was rendered before?
import { join } from 'node:path'
import { apiGroups } from '../../../core/model/apiGroups.ts'
import { includes, type Json, recordAt, textAt } from '../../../core/model/json.ts'
import { madeKinds } from '../../../core/policy/made/madeKinds.ts'
import { renderedForLabel } from '../../../core/policy/made/metallb/renderedFor.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf, type Resource } from '../../../edge/kube/api/resource.ts'
import { kinds, resourceOf } from '../../../edge/kube/kinds.ts'
import type { Exit, Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'
import { visible } from '../visible.ts'

type Checked = { readonly objects: readonly Json[]; readonly tenants: readonly string[] }

/** Where it is looked. */
export type There = {
  readonly find: (object: Json) => Promise<unknown>
  /** What was rendered at some time. */
  readonly rendered: () => Promise<readonly Json[]>
}

/** What is there, but with other words, is stale too. */
export async function renderCheck(
  { objects, tenants }: Checked,
  { find, rendered }: There,
  io: Io,
): Promise<Exit> {
  const stale: string[] = []
  for (const object of objects) {
    const there = await find(object)
    if (there !== undefined && includes(there, { ...object, metadata: wantedMeta(object) })) {
      continue
    }
    stale.push(`${idOf(object)}: ${there === undefined ? 'missing' : 'differs'}`)
  }
  const wanted = new Set(objects.map(idOf))
  const unwanted = (await rendered()).filter((object) => !wanted.has(idOf(object)))
  const isTheirs = (object: Json): boolean => {
    const tenant = tenantOf(object)
    return tenant === '' || tenants.includes(tenant)
  }
  const own = unwanted.filter(isTheirs).map((object) => `${idOf(object)}: no longer wanted`)
  io.out([...stale, ...own].map((line) => `${visible(line)}\n`).join(''))
  tellOthers(
    unwanted.filter((object) => !isTheirs(object)),
    io,
  )
  if (stale.length + own.length > 0) return 2
  io.out('Nothing to do: every object is there as rendered.\n')
  return 0
}

/** They may be rendered from other files: that they are there is no fault of these. */
function tellOthers(objects: readonly Json[], io: Io): void {
  for (const tenant of [...new Set(objects.map(tenantOf))].sort()) {
    const ids = objects.filter((object) => tenantOf(object) === tenant).map(idOf)
    const text = `Rendered for Tenant ${tenant}, which is not in these files: ${ids.join(', ')}`
    io.err(`${visible(text)}\n`)
  }
}

const tenantOf = (object: Json): string =>
  textAt(recordAt(recordAt(object, 'metadata'), 'labels'), renderedForLabel)

function idOf(object: Json): string {
  const { name, namespace } = recordAt(object, 'metadata')
  const place = namespace === undefined ? String(name) : `${namespace}/${name}`
  return `${textAt(object, 'kind')}/${place}`
}

const wantedMeta = (object: Json): Json => {
  const { annotations, labels } = recordAt(object, 'metadata')
  return {
    ...(annotations !== undefined && { annotations }),
    ...(labels !== undefined && { labels }),
  }
}

/** What a folder has: the one file that is written there. */
export function inDocuments(documents: readonly Json[]): There {
  const known = new Map(documents.map((object) => [idOf(object), object]))
  return {
    find: async (object) => known.get(idOf(object)),
    rendered: async () => documents,
  }
}

export const fileIn = (folder: string): string => join(folder, 'metallb.yaml')

export const inApi = (api: Api, signal: AbortSignal): There => ({
  find: (object) => readOrNothing(api, object),
  async rendered() {
    const selector = { labelSelector: renderedForLabel }
    const found: Json[] = []
    for (const { kind, ...resource } of renderedKinds) {
      const all = await listAll(api, { ...resource, selector }, signal)
      found.push(...all.map((object) => ({ ...object, kind })))
    }
    return found
  },
})

type RenderedKind = Resource & { readonly kind: string }

/** Kinds that only the API server itself reads stand in no table of ours. */
const renderedKinds: readonly RenderedKind[] = [
  ...madeKinds.map((kind) => ({ kind, ...resourceOf(kind) })),
  ...['Mutating', 'Validating']
    .flatMap((how) => [`${how}AdmissionPolicy`, `${how}AdmissionPolicyBinding`])
    .map((kind) => ({ kind, ...apiGroups.admission, plural: pluralOf(kind) })),
]

function pluralOf(kind: string): string {
  const row = kinds.find((one) => one.kind === kind)
  return row?.plural ?? kind.toLowerCase().replace(/y$/, 'ie').concat('s')
}

function readOrNothing(api: Api, object: Json): Promise<unknown> {
  const [version = '', group = ''] = textAt(object, 'apiVersion').split('/').reverse()
  const { name, namespace } = recordAt(object, 'metadata')
  const at = typeof namespace === 'string' ? { namespace } : {}
  const plural = pluralOf(textAt(object, 'kind'))
  const path = pathOf({ group, version, plural, ...at }, String(name))
  return ifThere(api.call({ method: 'GET', path }))
}
