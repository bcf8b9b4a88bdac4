// berth tenant render --for metallb: the objects that unmodified MetalLB and the API server need,
// or which of them a running API lacks.
import { includes, type Json, recordAt, textAt } from '../../../core/model/json.ts'
import type { Tenant } from '../../../core/model/tenant.ts'
import { servicePolicies } from '../../../core/policy/made/metallb/servicePolicies.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { kinds, typeOf } from '../../../edge/kube/kinds.ts'
import type { Exit, Io } from '../io.ts'
import type { Session } from '../load.ts'
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
    ...objectsOf(session, tenants),
    ...policies,
  ].map((object) => ({ ...object }))
  if (isChecked && api !== undefined) return check(objects, api, io)
  if (folder === '') io.out(documents(objects))
  else await written({ folder, name: 'metallb.yaml', text: documents(objects) }, io)
  io.err(notes(tenants))
  return 0
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

/** What is there, but with other words, is stale too. */
async function check(objects: readonly Json[], api: Api, io: Io): Promise<Exit> {
  let stale = 0
  for (const object of objects) {
    const { name, namespace } = recordAt(object, 'metadata')
    const place = namespace === undefined ? String(name) : `${namespace}/${name}`
    const there = await readOrNothing(api, object)
    if (there !== undefined && includes(there, { ...object, metadata: wantedMeta(object) })) {
      continue
    }
    stale++
    io.out(`${textAt(object, 'kind')}/${place}: ${there === undefined ? 'missing' : 'differs'}\n`)
  }
  if (stale === 0) io.out('Nothing to do: every object is there as rendered.\n')
  return stale === 0 ? 0 : 2
}

const wantedMeta = (object: Json): Json => {
  const { annotations = {} } = recordAt(object, 'metadata')
  return { annotations }
}

async function readOrNothing(api: Api, object: Json): Promise<unknown> {
  try {
    return await api.call({ method: 'GET', path: pathTo(object) })
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined
    throw error
  }
}

/** Kinds that only the API server itself reads stand in no table of ours. */
function pathTo(object: Json): string {
  const kind = textAt(object, 'kind')
  const [version = '', group = ''] = textAt(object, 'apiVersion').split('/').reverse()
  const row = kinds.find((one) => one.kind === kind)
  const plural = row?.plural ?? kind.toLowerCase().replace(/y$/, 'ie').concat('s')
  const { name, namespace } = recordAt(object, 'metadata')
  const at = typeof namespace === 'string' ? { namespace } : {}
  return pathOf({ group, version, plural, ...at }, String(name))
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
