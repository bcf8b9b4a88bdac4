// Do the scenarios hold through a real API server, with the rights and webhooks that we ship, and
// end as in the simulator?
import { expect, inject, test } from 'vitest'
import { runCorpus } from './corpus.ts'
import { tenantInUseStays } from './deletion.ts'
import { kubernetesTargets } from './kubernetesTargets.ts'

const folder = inject('kubernetes')

test.skipIf(folder === undefined)('every scenario holds on Kubernetes', async () => {
  const targets = kubernetesTargets(folder ?? '')
  try {
    expect(await runCorpus('Kubernetes', targets)).toEqual({ failed: [], held: [], malformed: [] })
  } finally {
    await targets.close()
  }
})

test.skipIf(folder === undefined)('[R4.20] a tenant in use is deleted in no way', async () => {
  const targets = kubernetesTargets(folder ?? '')
  try {
    await tenantInUseStays(targets)
  } finally {
    await targets.close()
  }
})
