// Which resource definitions do we ship? Those of deploy/crds, which stand beside src/ and dist/.
import { fileURLToPath } from 'node:url'
import { type Crd, readCrd } from '../kube/schema/crd.ts'
import { readManifests } from './readManifests.ts'

export const crdFolder = fileURLToPath(new URL('../../../deploy/crds', import.meta.url))

/** Kinds of others that the embedded API serves without being asked. */
export const embeddedFolder = fileURLToPath(new URL('../../../deploy/embedded', import.meta.url))

async function* noInput(): AsyncGenerator<string> {
  yield ''
}

export async function readCrds(): Promise<Crd[]> {
  const crds: Crd[] = []
  for await (const read of readManifests([crdFolder], noInput())) {
    if (!read.ok) throw new Error(`${read.unreadable.source.file}: ${read.unreadable.why}`)
    const crd = readCrd(read.manifest.json)
    if (crd !== undefined) crds.push(crd)
  }
  return crds
}
