// The definitions that we ship, read as the programs read them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { type Crd, type CrdVersion, readCrd } from '../../src/edge/kube/schema/crd.ts'

const folders = ['deploy/crds', 'deploy/openstack/crds']
export type ShippedCrd = { readonly file: string; readonly json: unknown; readonly crd: Crd }

export const shippedCrds: readonly ShippedCrd[] = folders.flatMap((folder) =>
  readdirSync(folder).map((file) => {
    const json = load(readFileSync(join(folder, file), 'utf8'))
    const crd = readCrd(json)
    if (!crd) throw new Error(`${file} is no CustomResourceDefinition`)
    return { file, json, crd }
  }),
)

export const shippedVersions = shippedCrds.flatMap(({ crd }) =>
  crd.versions.map((version) => ({ title: `${crd.kind} ${version.name}`, crd, version })),
)

export function shippedVersion(title: string): CrdVersion {
  const found = shippedVersions.find((one) => one.title === title)
  if (!found) throw new Error(`${title} is not shipped`)
  return found.version
}
