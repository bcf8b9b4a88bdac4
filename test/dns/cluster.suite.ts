// Do names resolve in a cluster, while pods are replaced and options are bad? On kube-apiserver with the
// controllers of Kubernetes, with a real dnsmasq in each pod and no other stand-ins than a kubelet and a
// proxy of the test.
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { openstack } from '../../src/app/openstack/openstack.ts'
import { resourceOf, typeOf } from '../../src/edge/kube/kinds.ts'
import { core, merge, verbs } from '../kube/cluster.ts'
import { type Cluster, type Running, runController, startCluster } from '../kube/controllers.ts'
import { installOpenstack } from '../kube/ipsetStand.ts'
import { until } from '../kube/waits.ts'
import { askAllTheTime } from './dnsperf.ts'
import { Kubelet } from './kubelet.ts'
import { digMeanwhile, otherServer } from './machine.ts'
import { startServiceProxy } from './serviceProxy.ts'

const namespace = 'openstack'
const service = 'dnsmasq-dns'
const isHere = inject('hasDns') && inject('hasKube')
const onKube = test.skipIf(!isHere)
const compute = 'edpm-compute-0.internalapi.example.com'
const controllers = ['deployment', 'replicaset', 'garbage-collector', 'endpointslice']

let cluster: Cluster
let running: Running
let kubelet: Kubelet
let port: number
const end = new AbortController()
let kubeletEnded: Promise<void>

type Option = { readonly key: string; readonly values: readonly string[] }
const spec = (options: readonly Option[]) => ({ containerImage: 'dnsmasq', options })
const servers = () => verbs(cluster.admin, resourceOf('DNSMasq', namespace))
const configure = (...options: readonly Option[]) =>
  servers().patch('dns', { type: merge, body: { spec: spec(options) } })
const ttl = (value: string): Option => ({ key: 'max-ttl', values: [value] })

type Status = {
  readonly readyCount?: number
  readonly conditions?: readonly { readonly type: string; readonly message: string }[]
}
const says = (wanted: string) =>
  until(
    `DeploymentReady says ${wanted}`,
    async () => {
      const { conditions = [] } = ((await servers().get('dns')).status ?? {}) as Status
      const said = conditions.find(({ type }) => type === 'DeploymentReady')?.message
      return said === wanted ? true : undefined
    },
    90_000,
  )
/** The proxy of the test is in this process. */
const dig = (...question: readonly string[]): Promise<string> => digMeanwhile(port, ...question)
const answers = (question: readonly string[], wanted: string): Promise<true> =>
  until(
    `${question.join(' ')} is answered with ${wanted}`,
    async () => ((await dig(...question)) === wanted ? true : undefined),
    90_000,
  )
const podNames = () => kubelet.pods.map(({ pod }) => pod.metadata.name)

beforeAll(async () => {
  if (!isHere) return
  const named = controllers.map((one) => `${one}-controller`)
  cluster = await startCluster({ controllers: named, define: installOpenstack })
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: namespace } })
  // What is on no node is no endpoint.
  await verbs(cluster.admin, core('nodes')).create({ metadata: { name: 'node-1' } })
  running = runController(cluster.kube, { extensions: [openstack('serve')] })
  const { signal } = end
  kubelet = new Kubelet({ kube: cluster.kube, api: cluster.admin, signal })
  port = await startServiceProxy({ api: cluster.admin, namespace, service, signal })
  await servers().create({ ...typeOf('DNSMasq'), metadata: { name: 'dns' }, spec: spec([]) })
  const hosts = [
    { ip: '172.17.0.100', hostnames: [compute] },
    { ip: 'fd00:17::100', hostnames: [compute] },
  ]
  const data = { ...typeOf('DNSData'), metadata: { name: 'computes' }, spec: { hosts } }
  await verbs(cluster.admin, resourceOf('DNSData', namespace)).create(data)
  kubeletEnded = kubelet.run()
})
afterEach(() => {
  if (isHere) expect(running.log.filter((line) => line.includes('"level":"error"'))).toEqual([])
})
afterAll(async () => {
  end.abort()
  await kubeletEnded
  await running?.stop()
  await cluster?.stop()
})

onKube('[R13.3] both families, backwards, what is not there, and another server', async () => {
  const other = 5_991
  otherServer(other, '/corp.test/192.0.2.1')
  await answers([compute, 'A'], '172.17.0.100')
  await answers([compute, 'AAAA'], 'fd00:17::100')
  expect(await dig('-x', '172.17.0.100')).toBe(`${compute}.`)
  expect(await dig('-x', 'fd00:17::100')).toBe(`${compute}.`)
  expect(await dig('nobody.openstack.svc')).toBe('NXDOMAIN')
  await says('Deployment completed')
  const before = podNames()
  await configure({ key: 'server', values: [`/corp.test/127.0.0.1#${other}`] })
  await answers(['www.corp.test'], '192.0.2.1')
  expect(podNames()).toEqual(before)
})

onKube('[R13.4] pods are replaced, and not one question is lost', async () => {
  await answers([compute, 'A'], '172.17.0.100')
  const [before] = podNames()
  const asking = await askAllTheTime(port, [compute])
  await configure(ttl('60'))
  await until(
    'the old pod is gone',
    () => (podNames().includes(before ?? '') || podNames().length !== 1 ? undefined : true),
    90_000,
  )
  await asking.answered(2)
  expect(await asking.end()).toMatchObject({ lost: 0, codes: { NOERROR: expect.any(Number) } })
  await says('Deployment completed')
})

onKube(
  '[R13.6] an option that dnsmasq does not accept is named, and old pods keep theirs',
  async () => {
    await configure(ttl('60'))
    await says('Deployment completed')
    const [old] = kubelet.pods
    await configure(ttl('60'), { key: 'cname', values: ['a'] })
    await says('Deployment error occurred spec.options[1]: "cname=a" is not accepted: bad CNAME')
    expect(await dig(compute, 'A')).toBe('172.17.0.100')
    await old?.container('dnsmasq-dns')?.stop('SIGKILL')
    await answers([compute, 'A'], '172.17.0.100')
    expect(kubelet.pods[0]).toBe(old)
    await configure(ttl('61'))
    await says('Deployment completed')
    await answers([compute, 'A'], '172.17.0.100')
  },
)
