// What a change would cost others is said before it is done, and kubectl prints it. On a cluster the
// webhooks say it: test/kube/webhook.suite.ts.
import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { kubectlIn, path } from './kubectl.ts'
import { isKubernetes } from './server.ts'

const kubectl = kubectlIn('kubectl-warned')
const namespace = 'metallb-system'
const pool = (...addresses: readonly string[]) => ({
  ...{ apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' },
  metadata: { name: 'warned', namespace },
  spec: { addresses },
})
const service = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
}
const greedy = {
  ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', metadata: { name: 'greedy' } },
  spec: { namespaces: { selector: {} } },
}
const dry = '-f - --dry-run=server'
const warning =
  'Warning: 1 Service would lose or change its address: kubectl-warned/web \\(192.0.2.77\\)'

describe.skipIf(path === '' || isKubernetes)('kubectl warns', () => {
  beforeAll(async () => {
    await kubectl.do(`apply -n ${namespace} -f -`, { input: pool('192.0.2.77/32') })
    await kubectl.apply(service)
    await until('the Service has its address', async () => {
      const ip = await kubectl.do(
        'get service web -o=jsonpath={.status.loadBalancer.ingress[0].ip}',
      )
      return ip === '192.0.2.77' || undefined
    })
  })

  test.each([
    ['[R10.1] of a pool that shrinks', `apply -n ${namespace} ${dry}`, pool('192.0.2.78/32')],
    ['[R10.1] of a tenant that takes all', `apply ${dry}`, greedy],
    ['[R10.1] of a pool that goes', `delete ipaddresspool warned -n ${namespace}`, undefined],
  ])('%s', async (_, words, input) => {
    const { code, err } = await kubectl.run(words.split(' '), { input })
    expect([
      code,
      err
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('Warning: 1')),
    ]).toEqual([
      0,
      [expect.stringMatching(`^${warning}: (address-not-in-pool|pool-not-allowed): `)],
    ])
  })
})
