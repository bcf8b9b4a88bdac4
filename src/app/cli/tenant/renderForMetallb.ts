// berth tenant render --for metallb: the objects that unmodified MetalLB and the API server need,
// or how a running API or a file differs.
import { type Json, recordAt } from '../../../core/model/json.ts'
import type { Tenant } from '../../../core/model/tenant.ts'
import { renderedFor } from '../../../core/policy/made/metallb/renderedFor.ts'
import { servicePolicies } from '../../../core/policy/made/metallb/servicePolicies.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { typeOf } from '../../../edge/kube/kinds.ts'
import { readManifests } from '../../../edge/manifests/readManifests.ts'
import type { Exit, Io } from '../io.ts'
import type { Session } from '../load.ts'
import { placeText } from '../placeText.ts'
import { visible, visibleLines } from '../visible.ts'
import { fileIn, inApi, inDocuments, renderCheck, type There } from './renderCheck.ts'
import { documents, objectsOf, type Rendering, written } from './rendering.ts'
import { selectorsNote, touching } from './touching.ts'

export async function renderForMetallb(
  session: Session,
  { tenants, isChecked, folder }: Rendering,
  api: Api | undefined,
): Promise<Exit> {
  const { io } = session
  const policies = policiesOf(tenants, io)
  if (policies === undefined || tellAmbiguous(session) > 0) return 1
  const namespaces = [...new Set(tenants.flatMap((tenant) => tenant.namespaces))].sort()
  const objects = [
    ...namespaces.map((name) => ({ ...typeOf('Namespace'), metadata: { name } })),
    ...tenants.flatMap((tenant) => objectsOf(session, [tenant]).map((one) => marked(one, tenant))),
    ...policies,
  ].map((object) => ({ ...object }))
  if (isChecked) {
    const looked = await there(folder, api, io)
    const names = tenants.map(({ name }) => name)
    return looked === undefined ? 1 : renderCheck({ objects, tenants: names }, looked, io)
  }
  if (folder === '') io.out(documents(objects))
  else await written({ folder, name: 'metallb.yaml', text: documents(objects) }, io)
  io.err(notes(tenants))
  return 0
}

/** It is found again when it is no longer wanted. */
function marked(object: Json, { name }: Tenant): Json {
  const metadata = recordAt(object, 'metadata')
  return { ...object, metadata: { ...metadata, labels: renderedFor(name) } }
}

function policiesOf(tenants: readonly Tenant[], io: Io): readonly Json[] | undefined {
  const objects: Json[] = []
  let isWhole = true
  for (const tenant of tenants) {
    const others = tenants.filter((one) => one !== tenant)
    const policies = servicePolicies(tenant, others)
    if (policies.ok) objects.push(...policies.objects.map((object) => ({ ...object })))
    else {
      io.err(`berth: Tenant/${tenant.name}: ${policies.reason}: ${policies.message}\n`)
      isWhole = false
    }
  }
  return isWhole ? objects : undefined
}

/** Of the namespaces in the files; others may be made at any time. */
function tellAmbiguous({ cluster: { world }, io }: Session): number {
  const told = [...world.all('Namespace').keys()].sort().flatMap((namespace) => {
    const belonging = world.tenantOfNamespace(namespace)
    if (belonging.kind !== 'ambiguous') return []
    const why = `selected by ${belonging.names.join(' and ')}, so it would have the policies of all`
    return [`berth: namespace ${namespace} is ${why}: narrow a selector\n`]
  })
  io.err(visibleLines(told.join('')))
  return told.length
}

/** What was rendered before lies in the folder, or runs. */
async function there(folder: string, api: Api | undefined, io: Io): Promise<There | undefined> {
  if (api !== undefined) return inApi(api, io.signal)
  const documents: Json[] = []
  let isWhole = true
  for await (const read of readManifests([fileIn(folder)], io.stdin)) {
    if (read.ok) documents.push({ ...read.manifest.json })
    else {
      const { source, why } = read.unreadable
      io.err(`${visible(`berth: ${placeText(source)}: ${why}`)}\n`)
      isWhole = false
    }
  }
  return isWhole ? inDocuments(documents) : undefined
}

const notes = (tenants: readonly Tenant[]): string =>
  [touching(tenants), selectorsNote(tenants), ...tenants.map(hostsNote)].join('')

const hostsNote = ({ name, generate }: Tenant): string =>
  generate.includes('HostNetworks')
    ? `Tenant ${name}: host networks are not rendered; they need to know the nodes.\n`
    : ''
