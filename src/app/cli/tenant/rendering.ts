// What is rendered, from what, and where to? The tenants of the files, and the control planes
// there.
import { type Json, recordAt, textAt } from '../../../core/model/json.ts'
import type { Tenant } from '../../../core/model/tenant.ts'
import { tenantObjects } from '../../../core/policy/made/tenantObjects.ts'
import type { Read } from '../../../edge/manifests/manifest.ts'
import { toYaml } from '../../../edge/manifests/toYaml.ts'
import { type Given, readGiven } from '../given.ts'
import type { Io } from '../io.ts'
import { admitAll, type Session } from '../load.ts'
import { tellTroubles } from '../troubles.ts'
import { writeInFolder } from '../writeInFolder.ts'

export type Rendering = {
  /** In order of name. */
  readonly tenants: readonly Tenant[]
  /** As written. */
  readonly planes: readonly Json[]
  readonly isChecked: boolean
  /** Empty: standard output. */
  readonly folder: string
}

const rendered = ['Tenant', 'Namespace', 'OpenStackControlPlane']

/** Undefined, and told, if something could not be read or there is no tenant. */
export async function tenantsFrom(
  session: Session,
  given: Given,
): Promise<Pick<Rendering, 'tenants' | 'planes'> | undefined> {
  const { cluster, io } = session
  const reads: Read[] = []
  for await (const read of readGiven(given, io)) {
    // Pools that were rendered before may lie beside them.
    if (!read.ok || rendered.includes(textAt(read.manifest.json, 'kind'))) reads.push(read)
  }
  const loaded = await admitAll(session, reads, (_, json) => cluster.apply(json))
  // A control plane that its definition refuses is rendered as far as it can be read.
  const refused = loaded.refused.filter(({ id }) => !id.startsWith('OpenStackControlPlane/'))
  if (tellTroubles([{ ...loaded, refused }], io) > 0) return undefined
  cluster.settle()
  const tenants = [...cluster.world.all('Tenant').values()]
  if (tenants.length === 0) {
    io.err('berth: there is no Tenant in these files\n')
    return undefined
  }
  const planes = [...loaded.manifests.values()].map(({ json }) => ({ ...json }))
  return {
    tenants: tenants.sort((one, other) => (one.name < other.name ? -1 : 1)),
    planes: planes.filter((json) => json['kind'] === 'OpenStackControlPlane'),
  }
}

/** Pools, advertisements and what else is made from tenants, with nobody who keeps them. */
export function objectsOf({ cluster }: Session, tenants: readonly Tenant[]): readonly Json[] {
  const { world } = cluster
  const made = tenants.flatMap((tenant) => tenantObjects(world, tenant))
  return made.map((object) => {
    const { ownerReferences: _, labels: __, ...metadata } = recordAt(object, 'metadata')
    return { ...object, metadata }
  })
}

export const documents = (objects: readonly Json[]): string => objects.map(toYaml).join('---\n')

type File = { readonly folder: string; readonly name: string; readonly text: string }

export async function written({ folder, name, text }: File, io: Io): Promise<void> {
  io.out(`${await writeInFolder(folder, name, text)}\n`)
}
