// What surrounds each test of faults? A cluster for the file, a stand for the test, and the promise
// that is checked whatever the test did.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject } from 'vitest'
import { type Cluster, startCluster } from './controllers.ts'
import { newStand, type Stand } from './faultStand.ts'

const isHere = inject('kube') !== undefined
/** Left out, not failed, where there is no Kubernetes to run on. */
export const underFaults = describe.skipIf(!isHere)

export let stand: Stand
let cluster: Cluster
let at = 0

beforeAll(async () => {
  if (isHere) cluster = await startCluster()
})
afterAll(async () => {
  await cluster?.stop()
})
beforeEach(async () => {
  if (isHere) stand = await newStand(cluster, ++at)
})
afterEach(async () => {
  if (isHere) expect(await stand.end()).toEqual([])
})
