// berth tenant render --by overlay|patch: the OpenStackControlPlane that asks for its tenant's
// pools.
import { type Json, recordAt, textAt } from '../../../core/model/json.ts'
import { isDnsSubdomain } from '../../../core/model/names.ts'
import type { Tenant } from '../../../core/model/tenant.ts'
import {
  type ControlPlanePatch,
  controlPlanePatch,
  operationOf,
} from '../../../core/policy/made/metallb/controlPlanePatch.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { decodeControlPlane } from '../../../edge/kube/decode/decodeControlPlane.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { toYaml } from '../../../edge/manifests/toYaml.ts'
import type { Exit, Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'
import type { Session } from '../load.ts'
import { visible } from '../visible.ts'
import { documents, objectsOf, type Rendering, written } from './rendering.ts'

type Render = (session: Session, rendering: Rendering, api: Api | undefined) => Promise<Exit>

type Patched = {
  readonly name: string
  /** Empty where the manifest does not say. */
  readonly writtenNamespace: string
  readonly namespace: string
  /** How many it asks for. */
  readonly services: number
  readonly patch: ControlPlanePatch
}

export const renderControlPlanes =
  (by: string): Render =>
  async (session, rendering, api) => {
    const { io } = session
    const live = api === undefined ? [] : await livePlanes(api, io)
    const planes = rendering.planes.length > 0 ? rendering.planes : live
    if (planes.length === 0) return tellNone(api !== undefined, io)
    if (planes.filter((plane) => tellMisnamed(plane, io)).length > 0) return 1
    const patched = planes.map((plane) => patchedBy(session, rendering.tenants, plane))
    const isRefused = patched.filter((one) => tellRefused(one, io)).length > 0
    if (isRefused || tellNobodys(patched, io)) return 1
    if (rendering.isChecked) return check(patched, io)
    return by === 'overlay'
      ? overlay(session, rendering, patched)
      : patch(session, rendering, patched)
  }

function tellNone(isLive: boolean, io: Io): Exit {
  const where = isLive ? 'in the running API' : 'in these files'
  io.err(
    `berth: there is no OpenStackControlPlane ${where} yet. Deploy OpenStack first ` +
      '(make openstack_deploy, or kubectl apply of your control plane), or name its file ' +
      'with -f. Without --by, nothing in OpenStack has to change.\n',
  )
  return 1
}

async function livePlanes(api: Api, { signal }: Io): Promise<readonly Json[]> {
  const planes = await listAll(api, resourceOf('OpenStackControlPlane'), signal)
  return planes.map((plane) => ({ ...plane }))
}

/** Files and commands are made of them. Answers whether one is no name. */
function tellMisnamed(plane: Json, io: Io): boolean {
  const metadata = recordAt(plane, 'metadata')
  const [name, namespace] = [textAt(metadata, 'name'), textAt(metadata, 'namespace')]
  const wrong = [
    ...(isDnsSubdomain(name) ? [] : [`metadata.name: ${JSON.stringify(name)}`]),
    ...(namespace === '' || isDnsSubdomain(namespace)
      ? []
      : [`metadata.namespace: ${JSON.stringify(namespace)}`]),
  ]
  for (const what of wrong) {
    const why = "is not a valid name in Kubernetes: use lower case letters, digits, '-' and '.'"
    io.err(`${visible(`berth: OpenStackControlPlane: ${what} ${why}`)}\n`)
  }
  return wrong.length > 0
}

/** One without a namespace is for the only tenant there is. */
function patchedBy({ cluster }: Session, tenants: readonly Tenant[], json: Json): Patched {
  const metadata = recordAt(json, 'metadata')
  const writtenNamespace = textAt(metadata, 'namespace')
  const [only, ...more] = tenants
  const meant = more.length === 0 ? (only?.namespaces[0] ?? '') : ''
  const namespace = writtenNamespace || meant
  const plane = decodeControlPlane(
    new Fields({ ...json, metadata: { ...metadata, namespace } }, []),
  )
  const patch = controlPlanePatch(cluster.world, plane)
  const [name, services] = [textAt(metadata, 'name'), plane.services.length]
  return { name, writtenNamespace, namespace, services, patch }
}

/** Answers whether anything was refused. */
function tellRefused({ name, namespace, patch }: Patched, io: Io): boolean {
  const id = `OpenStackControlPlane/${namespace}/${name}`
  for (const { field, refusal } of patch.refused) {
    io.err(`${visible(`berth: ${id}: ${field}: ${refusal.reason}: ${refusal.message}`)}\n`)
  }
  for (const { field, namespace: other, name: service } of patch.ofNobody) {
    const why =
      `Service ${other}/${service} belongs to no tenant and is left as it is; list it under the ` +
      "tenant's services"
    io.err(`${visible(`berth: ${id}: ${field}: ${why}`)}\n`)
  }
  return patch.refused.length > 0
}

/** Answers whether nothing of what is there is any tenant's. */
function tellNobodys(patched: readonly Patched[], io: Io): boolean {
  const isNobodys = patched.every(({ services, patch }) => patch.ofNobody.length === services)
  if (!isNobodys || patched.every(({ services }) => services === 0)) return false
  const namespaces = [...new Set(patched.map(({ namespace }) => namespace))].sort()
  io.err(
    'berth: no Service of a control plane belongs to a tenant, so nothing can be rendered; list ' +
      `its namespace (${namespaces.join(', ') || 'none is written'}) under spec.namespaces.names ` +
      'of its Tenant\n',
  )
  return true
}

function check(patched: readonly Patched[], io: Io): Exit {
  const lines = patched.flatMap(({ patch }) =>
    patch.replaced.map(
      ({ service, field, key, before, after }) =>
        `${visible(`${service}: ${field}: ${key}: ${before} -> ${after === '' ? '""' : after}`)}\n`,
    ),
  )
  io.out(lines.length === 0 ? nothingFor(patched) : lines.join(''))
  return lines.length === 0 ? 0 : 2
}

const nothingFor = (patched: readonly Patched[]): string =>
  patched.some(({ patch: { ofNobody } }) => ofNobody.length > 0)
    ? 'Nothing to do: every Service of a tenant asks for what belongs to it; others are left.\n'
    : 'Nothing to do: every Service asks for what belongs to its tenant.\n'

/** A component can be added to any kustomization that has the control plane. */
async function overlay(
  session: Session,
  { tenants, folder }: Rendering,
  patched: readonly Patched[],
): Promise<Exit> {
  const { io } = session
  const patches = patched
    .filter(({ patch: { replaced } }) => replaced.length > 0)
    .map(({ name, writtenNamespace, patch: { replaced } }) => ({
      target: {
        group: resourceOf('OpenStackControlPlane').group,
        kind: 'OpenStackControlPlane',
        name,
        ...(writtenNamespace === '' ? {} : { namespace: writtenNamespace }),
      },
      patch: toYaml(replaced.map(operationOf)),
    }))
  const component = (resources: readonly string[]) =>
    toYaml({
      apiVersion: 'kustomize.config.k8s.io/v1alpha1',
      kind: 'Component',
      ...(resources.length === 0 ? {} : { resources }),
      ...(patches.length === 0 ? {} : { patches }),
    })
  if (patches.length === 0) io.err(nothingFor(patched))
  if (folder === '') {
    io.out(component([]))
    return 0
  }
  const text = documents(objectsOf(session, tenants))
  await written({ folder, name: 'metallb.yaml', text }, io)
  await written({ folder, name: 'kustomization.yaml', text: component(['metallb.yaml']) }, io)
  io.err(
    `Add it to the kustomization that has the control plane:\n  components: [${folder}]\n` +
      "'berth plan -k DIR --live' shows which Services would move.\n",
  )
  return 0
}

async function patch(
  { io }: Session,
  { folder }: Rendering,
  patched: readonly Patched[],
): Promise<Exit> {
  const stale = patched.filter(({ patch: { replaced } }) => replaced.length > 0)
  if (stale.length === 0) {
    io.err(nothingFor(patched))
    return 0
  }
  if (folder === '' && stale.length > 1) {
    io.err(
      `berth: ${stale.length} control planes differ: write a file for each with --output-dir\n`,
    )
    return 1
  }
  for (const {
    name,
    namespace,
    patch: { replaced },
  } of stale) {
    const text = `${JSON.stringify(replaced.map(operationOf), undefined, 2)}\n`
    const file = `${namespace}-${name}.json`
    if (folder === '') io.out(text)
    else await written({ folder, name: file, text }, io)
    io.err(
      `  kubectl patch openstackcontrolplane ${name} -n ${namespace} --type json ` +
        `--patch-file ${folder === '' ? 'FILE' : `${folder}/${file}`}\n`,
    )
  }
  return 0
}
