// Do the scenarios hold through the embedded API and the controller, and end as in the simulator?
import { expect, test } from 'vitest'
import { embeddedTargets } from '../../src/app/up/scenarioTargets.ts'
import { runCorpus } from './corpus.ts'
import { tenantInUseStays } from './deletion.ts'

test('every scenario holds on the embedded API', async () => {
  const targets = embeddedTargets(() => undefined)
  try {
    expect(await runCorpus('embedded', targets)).toEqual({ failed: [], held: [], malformed: [] })
  } finally {
    await targets.close()
  }
})

test('[R4.20] a tenant in use is deleted in no way on the embedded API', async () => {
  const targets = embeddedTargets(() => undefined)
  try {
    await tenantInUseStays(targets)
  } finally {
    await targets.close()
  }
})
