// Which resource definitions do we ship? Those of deploy/crds, which stand beside src/ and dist/.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { rowOf } from '../kube/kinds.ts'
import { type Crd, readCrd } from '../kube/schema/crd.ts'
import { unfolded } from '../kube/schema/unfolded.ts'
import { readManifests } from './readManifests.ts'

export const crdFolder = fileURLToPath(new URL('../../../deploy/crds', import.meta.url))

/** Those of OpenStack's network group: where its operator runs it brings them itself. */
export const openstackFolder = fileURLToPath(
  new URL('../../../deploy/openstack/crds', import.meta.url),
)

/** Kinds of others that the embedded API serves without being asked. */
export const embeddedFolder = fileURLToPath(new URL('../../../deploy/embedded', import.meta.url))

async function* noInput(): AsyncGenerator<string> {
  yield ''
}

/** What lint and plan need of the CRD of others: names, types, and the defaults of `enabled`. */
const controlPlaneFile = new URL(
  '../../../deploy/openstack/controlplane-schema.jsonl',
  import.meta.url,
)

export async function readControlPlaneCrd(): Promise<Crd> {
  const spec = unfolded(await readFile(controlPlaneFile, 'utf8'))
  const { group, kind, version, plural } = rowOf('OpenStackControlPlane')
  const status = { 'x-kubernetes-preserve-unknown-fields': true }
  const schema = { type: 'object', properties: { spec, status } } as const
  const [served, storage, columns, hasStatus] = [true, true, [], true]
  return {
    ...{ group, kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    scope: 'Namespaced',
    versions: [{ name: version, served, storage, schema, columns, hasStatus }],
  }
}

let shipped: Promise<readonly Crd[]> | undefined

/** They are part of the program, so they are read once. */
export function readCrds(): Promise<readonly Crd[]> {
  shipped ??= readShipped()
  return shipped
}

async function readShipped(): Promise<readonly Crd[]> {
  const crds: Crd[] = []
  for await (const read of readManifests([crdFolder, openstackFolder], noInput())) {
    if (!read.ok) throw new Error(`${read.unreadable.source.file}: ${read.unreadable.why}`)
    const crd = readCrd(read.manifest.json)
    if (crd !== undefined) crds.push(crd)
  }
  return crds
}
