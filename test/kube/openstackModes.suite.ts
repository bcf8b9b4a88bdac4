// What does the controller write, count and say for hosts and names, in each mode of --openstack, and
// while some of the kinds are not served (R12.12, R13)?
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { openstack } from '../../src/app/openstack/openstack.ts'
import { parseIp } from '../../src/core/net/ip.ts'
import { typeOf } from '../../src/edge/kube/kinds.ts'
import { core, type KubeObject, verbs } from './cluster.ts'
import {
  addressOf,
  asking,
  type Cluster,
  isWrite,
  pool,
  type Running,
  runController,
  startCluster,
} from './controllers.ts'
import { forgetCrd } from './crds.ts'
import { type IpSetStand, installOpenstack, ipSet, isReady, newIpSetStand } from './ipsetStand.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined
const group = { group: 'network.openstack.org', version: 'v1beta1' }
let cluster: Cluster
let stand: IpSetStand
let running: Running | undefined
let at = 0

beforeAll(async () => {
  if (!isHere) return
  cluster = await startCluster({ define: installOpenstack })
})
afterEach(async () => {
  await running?.stop()
  running = undefined
})
afterAll(() => cluster?.stop())

const names = (plural: string) =>
  verbs(cluster.admin, { ...group, plural, namespace: nameOfStand() })
const nameOfStand = (): string => stand.namespace
const maps = () => verbs(cluster.admin, core('configmaps', stand.namespace))

/** A host that infra-operator has served, one that waits, and names. */
async function given(): Promise<void> {
  stand = await newIpSetStand(cluster, `modes-${at++}`)
  await stand.ipSets.create(ipSet('served'))
  const { metadata } = await stand.ipSets.get('served')
  const owner = { ...typeOf('IPSet'), name: 'served', uid: metadata.uid, controller: true }
  const entry = { network: 'InternalApi', subnet: 'subnet1', address: '172.17.0.100' }
  await stand.reservations.create({
    ...typeOf('Reservation'),
    metadata: { name: 'served', ownerReferences: [owner] },
    spec: { ipSetRef: {}, reservation: { InternalApi: entry } },
  })
  await stand.ipSets.create(ipSet('waits'))
  await named()
}

async function named(): Promise<void> {
  const hosts = [{ ip: '172.17.0.100', hostnames: ['served.example.com'] }]
  await names('dnsdata').create({
    ...typeOf('DNSData'),
    metadata: { name: 'hosts' },
    spec: { hosts, dnsDataLabelSelectorValue: 'dnsdata' },
  })
  await names('dnsmasqs').create({
    ...typeOf('DNSMasq'),
    metadata: { name: 'dns' },
    spec: { options: [], dnsDataLabelSelectorValue: 'dnsdata' },
  })
}

/** Of the group, what is made from it, and claims. */
const isForHosts = (path: string): boolean =>
  /\/(network\.openstack\.org|addressblocks|configmaps|serviceaccounts|deployments|roles)\b/.test(
    path,
  )
const writesForHosts = ({ seen }: Running): readonly string[] =>
  seen.flatMap((one) => (isWrite(one) && isForHosts(one.path) ? [`${one.method} ${one.path}`] : []))

/** The host's address is in the pool, and no Service is given it. */
async function counted(name: string): Promise<void> {
  await cluster.pools.create(pool(name, ['172.17.0.100-172.17.0.101']))
  const services = cluster.services(stand.namespace)
  await services.create(asking(name, name))
  expect(await addressOf(services, name)).toBe('172.17.0.101')
  await cluster.pools.remove(name)
}

const textOf = (object: KubeObject): string => JSON.stringify(object.status ?? {})

describe.skipIf(!isHere)('modes', () => {
  test('[R12.12] observe: all is counted, nothing is written, and that is said once', async () => {
    await given()
    running = runController(cluster.kube, { extensions: [openstack('observe')] })
    await running.quiet()
    await counted('observe')
    await running.quiet()
    expect(writesForHosts(running)).toEqual([])
    for (const name of ['served', 'waits']) expect(textOf(await stand.ipSets.get(name))).toBe('{}')
    const held = parseIp('172.17.0.100')
    if (!held.ok) throw new Error(held.why)
    const { nodes } = running.controller.world
    const holders = nodes.held.at(`namespace/${stand.namespace}`, held.value)
    expect(holders.map(({ key }) => key)).toEqual([`${stand.namespace}/served`])
    expect(nodes.ipSetsIn(stand.namespace)).toEqual(
      new Set(['served', 'waits'].map((name) => `${stand.namespace}/${name}`)),
    )
    expect(running.log.filter((line) => line.includes('--openstack=observe'))).toHaveLength(1)
  })

  test('[R12.12] off: nothing is read but NetConfigs and Reservations, and they count', async () => {
    await given()
    running = runController(cluster.kube)
    await running.quiet()
    await counted('off')
    await running.quiet()
    expect(writesForHosts(running)).toEqual([])
    const asked = running.seen.filter(({ path }) => path.includes(`/${group.group}/`))
    const kinds = asked.map(({ path }) => path.split('/').at(-1)).sort()
    expect([...new Set(kinds)]).toEqual(['netconfigs', 'reservations'])
    expect(running.log.join('\n')).not.toContain('openstack')
  })

  test('[R12.12] serve goes on from what was observed: nobody moves, who waits is served', async () => {
    await given()
    running = runController(cluster.kube, { extensions: [openstack('observe')] })
    await running.quiet()
    await running.stop()
    running = runController(cluster.kube, { extensions: [openstack('serve')] })
    const addressIn = (name: string) =>
      until(`${name} is ready`, async () => {
        const host = await stand.ipSets.get(name)
        return isReady(host) ? textOf(host) : undefined
      })
    expect(await addressIn('served')).toContain('"172.17.0.100"')
    expect(await addressIn('waits')).toContain('"172.17.0.101"')
    await until('the names are there', () =>
      maps()
        .get('hosts')
        .catch(() => undefined),
    )
  })

  test('[R13] kinds of names that are not served yet hold up no host, and are served once they are', async () => {
    const missing = ['dnsdata', 'dnsmasqs']
    for (const plural of missing) await forgetCrd(cluster.admin, `${plural}.${group.group}`)
    stand = await newIpSetStand(cluster, `modes-${at++}`)
    running = runController(cluster.kube, { extensions: [openstack('serve')] })
    await stand.ipSets.create(ipSet('a'))
    await until('a is ready', async () => isReady(await stand.ipSets.get('a')) || undefined)
    for (const kind of ['DNSData', 'DNSMasq']) {
      expect(running.log.some((line) => line.includes(`"kind":"${kind}"`))).toBe(true)
    }
    expect(running.controller.complaints()).toEqual([])
    await installOpenstack(cluster.admin)
    await named()
    const map = await until('the names are there', () =>
      maps()
        .get('hosts')
        .catch(() => undefined),
    )
    expect(JSON.stringify(map)).toContain('172.17.0.100 served.example.com')
    const told = await until('the DNSMasq is told', async () => {
      const { status } = await names('dnsmasqs').get('dns')
      return status === undefined ? undefined : JSON.stringify(status)
    })
    expect(told).toContain('ServiceConfigReady')
  })
})
