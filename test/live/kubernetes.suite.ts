// Do the scenarios hold through a real API server, with the rights and webhooks that we ship, and
// end as in the simulator?
import { expect, inject, test } from 'vitest'
import { runCorpus } from './corpus.ts'
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
