// Which resource definitions do we ship? Those of deploy/crds, which stand beside src/ and dist/.
import { fileURLToPath } from 'node:url'
import { type Crd, readCrd } from '../kube/schema/crd.ts'
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
