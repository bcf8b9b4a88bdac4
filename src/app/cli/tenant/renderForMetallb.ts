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
import { visible } from '../visible.ts'
import { fileIn, inApi, inDocuments, renderCheck, type There } from './renderCheck.ts'
import { documents, objectsOf, type Rendering, written } from './rendering.ts'

export async function renderForMetallb(
  session: Session,
  { tenants, isChecked, folder }: Rendering,
  api: Api | undefined,
): Promise<Exit> {
  const { io } = session
  const policies = policiesOf(tenants, io)
  if (policies === undefined) return 1
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

function notes(tenants: readonly Tenant[]): string {
  const every = (command: (where: string) => string): string =>
    tenants
      .flatMap(servicesOf)
      .map((where) => `  ${command(where)}\n`)
      .join('')
  const added = ['address-pool', 'loadBalancerIPs', 'allow-shared-ip']
  const removed = [...added.map((name) => `metallb.io/${name}-`), 'berth.dev/touched-'].join(' ')
  return [
    '\nApply this before the Services. Those that are there already are touched once:\n',
    every((where) => `kubectl annotate service ${where} --overwrite berth.dev/touched=once`),
    ...tenants.map(selectedNote),
    'Services that share an address lose it until all of them are touched: MetalLB changes no\n' +
      'sharing key while another Service has the address. One that pins none may get another.\n',
    '\nTo take it away again, delete the policies:\n',
    ...tenants.map(
      ({ name }) => `  kubectl delete ${policies} -l berth.dev/rendered-for=${name}\n`,
    ),
    'A few seconds later, when the API server has noticed, remove what they added:\n',
    every((where) => `kubectl annotate service ${where} ${removed}`),
    'Services that you wrote with metallb.io/ annotations are then applied again.\n',
    ...tenants.map(hostsNote),
  ].join('')
}

const policies = ['mutating', 'validating']
  .flatMap((one) => [`${one}admissionpolicybindings`, `${one}admissionpolicies`])
  .join(',')

/** As arguments of kubectl. */
const servicesOf = ({ namespaces, services }: Tenant): readonly string[] => [
  ...namespaces.map((namespace) => `-n ${namespace} --all`),
  ...services.map((key) => `-n ${key.replace('/', ' ')}`),
]

const selectedNote = ({ name, selector }: Tenant): string =>
  selector === undefined
    ? ''
    : `  the same for each namespace that the selector of ${name} matches\n`

const hostsNote = ({ name, generate }: Tenant): string =>
  generate.includes('HostNetworks')
    ? `Tenant ${name}: host networks are not rendered; they need to know the nodes.\n`
    : ''
