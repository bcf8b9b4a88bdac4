// Do the verbs that only look say of a running API what is true, and leave it as it is?
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { berth, folderOf, pool, service } from '../build/terminal.ts'
import { contract } from './cluster.ts'
import { type OwnKube, startOwnKube } from './ownKube.ts'

let kube: OwnKube
const live = (args: readonly string[], user: 'admin' | 'reader' | 'nobody' = 'admin') =>
  berth([...args, '--kubeconfig', kube.kubeconfig(user)])

const tenant = `---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: os2}
spec:
  namespaces: {names: [os2]}
  quota: {addresses: 3}
  networks: [{name: internalapi, cidrs: [172.27.0.0/24], loadBalancer: [172.27.0.80-172.27.0.90]}]
`
const node = `---
apiVersion: v1
kind: Node
metadata: {name: metal-1, labels: {kubernetes.io/hostname: metal-1}}
`
const layer2 = `---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: all, namespace: metallb-system}
`
const peer = (name: string, secret: string): string => `---
apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata: {name: ${name}, namespace: metallb-system}
spec: {myASN: 64512, peerASN: 64513, peerAddress: 10.0.0.254, passwordSecret: {name: ${secret}}}
`
const given = JSON.stringify({ status: { loadBalancer: { ingress: [{ ip: '10.0.0.2' }] } } })
/** Not Leases: the API server has one of its own, and renews it. */
const everything = 'services,ipaddresspools,addresses,tenants,nodeinterfaces,nodes,events'

contract('verbs on a running API', () => {
  beforeAll(async () => {
    kube = await startOwnKube()
  })
  afterAll(() => kube?.stop())

  test('where nothing is installed there is nothing, and that is no fault', async () => {
    const { exit, out, err } = await live(['status'])
    expect(out).toContain('no leader: the Lease in metallb-system has no holder')
    expect(out).toContain('Services  0 served, 0 waiting')
    expect(out).toContain('Pools  none')
    expect([exit, err]).toEqual([0, ''])
  })

  describe('as MetalLB left it', () => {
    beforeAll(() => {
      kube.kubectl(['apply', '--server-side', '-f', 'deploy/crds'])
      kube.kubectl(['wait', '--for=condition=Established', 'crd', '--all'])
      kube.kubectl(['create', 'namespace', 'metallb-system'])
      const objects = [pool('lan', '10.0.0.1-10.0.0.2'), layer2, node, tenant]
      const asking = service('api', 'metallb.io/address-pool: nope')
      kube.kubectl(['apply', '-f', '-'], [...objects, service('web'), asking].join(''))
      const args = ['patch', 'service', 'web', '--subresource=status', '--type=merge', '-p', given]
      kube.kubectl(args)
    })

    test('status: who is served, who waits and why, how full it is', async () => {
      const { exit, out, err } = await live(['status'])
      expect(err).toBe('')
      expect(out).toContain('Services  1 served, 1 waiting')
      expect(out).toMatch(/^ {2}! default\/api waits for \d+s\n {6}pool-not-found: /m)
      expect(out).toMatch(/^ {2}lan +1 used, 1 free +-$/m)
      expect(out).toMatch(/^ {2}os2 +0 of 3 used$/m)
      expect(out.split('\n').every((line) => line.length <= 100)).toBe(true)
      expect(exit).toBe(0)
    })

    test('status -o json has the same, with counts as text', async () => {
      const { out } = await live(['status', '-o', 'json'])
      expect(JSON.parse(out)).toMatchObject({
        schema: 'berth.dev/status/v1',
        leader: null,
        services: { served: 1, waiting: [{ service: 'default/api', reason: 'pool-not-found' }] },
        pools: [{ name: 'lan', IPv4: { used: '1', free: '1' } }, { name: 'os2-internalapi' }],
        tenants: [{ name: 'os2', used: 0, quota: 3 }],
      })
    })

    test('plan: over what is there, and it stays as it is', async () => {
      const before = kube.kubectl(['get', everything, '-A', '-o', 'json'])
      const folder = folderOf({ 'a.yaml': service('web') + service('new') })
      const { exit, out, err } = await live(['plan', '-f', folder, '-o', 'wide'])
      expect(err).toBe('')
      expect(out).toMatch(/^ {2}\+ default\/new +10\.0\.0\.1 {2}from lan$/m)
      expect(out).toMatch(/^ {4}default\/web +10\.0\.0\.2 {2}from lan$/m)
      expect(exit).toBe(2)
      expect(kube.kubectl(['get', everything, '-A', '-o', 'json'])).toBe(before)
    })

    test('plan: applying what was applied changes nothing', async () => {
      const folder = folderOf({ 'a.yaml': pool('lan', '10.0.0.1-10.0.0.2') + service('web') })
      const { exit, out, err } = await live(['plan', '-f', folder])
      expect([exit, err, out]).toEqual([
        0,
        '',
        expect.stringContaining('0 lost, 1 kept, 1 waiting'),
      ])
    })

    test('plan: a peer may name a password that is there, and one that is not is told', async () => {
      const args = ['create', 'secret', 'generic', 'tor', '-n', 'metallb-system']
      kube.kubectl([...args, '--type=kubernetes.io/basic-auth', '--from-literal=password=hidden'])
      const folder = folderOf({ 'a.yaml': peer('there', 'tor') + peer('not', 'gone') })
      const { out, err } = await live(['plan', '-f', folder, '-o', 'json'])
      const { problems } = JSON.parse(out) as { problems: { code: string; object: string }[] }
      const unresolved = problems.filter(({ code }) => code === 'unresolved-reference')
      expect(unresolved.map(({ object }) => object)).toEqual(['BGPPeer/metallb-system/not'])
      expect(out + err).not.toContain('hidden')
    })

    test('explain: the Service, its address and its pool, without files', async () => {
      const web = await live(['explain', 'service', 'web'])
      expect(web.out).toContain('Service default/web holds 10.0.0.2 from pool lan')
      expect([web.exit, web.err]).toEqual([0, ''])
      const address = await live(['explain', 'address', '10.0.0.2'])
      expect(address.out).toContain('default/web')
      const missing = await live(['explain', 'pool', 'lna'])
      expect([missing.exit, missing.err]).toEqual([1, expect.stringContaining('did you mean lan?')])
    })

    test('lint --live: what is wrong, in no file', async () => {
      const { exit, out } = await live(['lint', '--live'])
      expect(out).toContain('Service/default/api\n  error pool-not-found')
      expect(out).toMatch(/\d+ errors?, \d+ warnings? in \d+ objects$/m)
      expect(exit).toBe(2)
      const json = await live(['lint', '--live', '-o', 'json'])
      expect(JSON.parse(json.out)).toMatchObject({ summary: { files: 0 } })
    })

    test('what one may not read is told, the rest is shown, exit 1', async () => {
      const pools = 'ipaddresspools.metallb.io,tenants.berth.dev,addresses.berth.dev'
      const resource = `--resource=services,namespaces,${pools}`
      kube.kubectl(['create', 'clusterrole', 'looks', '--verb=list', resource])
      kube.kubectl(['create', 'clusterrolebinding', 'l', '--clusterrole=looks', '--user=reader'])
      const { exit, out, err } = await live(['status'], 'reader')
      expect(out).toContain('Services  1 served, 1 waiting')
      expect(err).toContain('/api/v1/nodes: 403')
      expect(exit).toBe(1)
    })
  })

  test.each([['status'], ['lint', '--live'], ['explain', 'pool', 'lan'], ['migrate', 'check']])(
    '%s: an API that cannot be reached is one sentence, exit 1',
    async (...args) => {
      const cluster = { server: 'https://127.0.0.1:1' }
      const config = {
        'current-context': 'x',
        contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
        clusters: [{ name: 'x', cluster }],
        users: [{ name: 'x', user: {} }],
      }
      const folder = folderOf({ config: JSON.stringify(config) })
      const { exit, out, err } = await berth([...args, '--kubeconfig', `${folder}/config`])
      expect(err).toMatch(
        /^berth: the API server https:\/\/127\.0\.0\.1:1 cannot be reached: .*\n$/,
      )
      expect([exit, out]).toEqual([1, ''])
    },
  )
})
