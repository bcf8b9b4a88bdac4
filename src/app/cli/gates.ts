// Which admission judges files? The CRDs that we ship and the one check, for each BGP mode.
import { fileURLToPath } from 'node:url'
import type { BgpMode } from '../../core/model/admission.ts'
import { check, checkDelete } from '../../core/policy/check/check.ts'
import { type Admission, admission } from '../../edge/kube/admission.ts'
import { type Crd, readCrd } from '../../edge/kube/schema/crd.ts'
import { readManifests } from '../../edge/manifests/readManifests.ts'

/** Beside src/ and dist/ alike. */
export const crdFolder = fileURLToPath(new URL('../../../deploy/crds', import.meta.url))

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

export function gatesOf(crds: readonly Crd[]): (bgpMode: BgpMode) => Admission {
  const made = new Map<BgpMode, Admission>()
  return (bgpMode) => {
    const known = made.get(bgpMode) ?? admission({ crds, check, checkDelete, bgpMode })
    made.set(bgpMode, known)
    return known
  }
}
