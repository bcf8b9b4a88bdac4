// The contract on the embedded API: the same suites, the other engine.
import { defineConfig } from 'vitest/config'

process.env['BERTH_ENGINE'] = 'embedded'

const suites = [
  'connecting',
  'reading',
  'watching',
  'writing',
  'serviceStatus',
  'lifecycle',
  'crds',
  'schemas',
  'kubectl',
  'controller',
  'controllerConfig',
  'controllerDeciders',
  'controllerLeader',
  'controllerRecovery',
  'lostPools',
  'madeFights',
  'othersKinds',
  'quotaRaces',
  'renumber',
  'ipsets',
  'ipsetKills',
  'openstackModes',
  'stickyPods',
  'podRoutes',
  'exposure',
  'speaker',
  'twoOwners',
  'waitedFor',
  'frrK8s',
]

export default defineConfig({
  test: {
    include: suites.map((suite) => `test/kube/${suite}.suite.ts`),
    globalSetup: ['test/kube/setup.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
