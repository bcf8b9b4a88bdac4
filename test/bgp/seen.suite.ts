// What do the API and `berth bgp` say of BGP? After a session comes up, a Service goes, a router or
// a speaker fails and a node is drained: beside what FRR has in its table.
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { apply, remove, service } from '../lab/objects.ts'
import { type Flow, flow } from './flow.ts'
import { hopsTo, type RouterLab, untilHops, upWith } from './router.ts'

type Json = {
  readonly metadata: {
    readonly name: string
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[]
  }
  readonly status: Readonly<Record<string, unknown>>
}

const prefix = '10.50.0.1/32'
const hops = ['10.10.0.11', '10.10.0.12', '10.10.0.13']
const nodes = ['node-1', 'node-2', 'node-3']
const program = join(import.meta.dirname, '../../berth')

describe.skipIf(!inject('hasRouters'))('seen', () => {
  let lab: RouterLab
  let client: Flow | undefined
  const itemsAt = (path: string): readonly Json[] =>
    (lab.ask('control', ['get', path]) as { readonly items: readonly Json[] }).items
  const sessions = () => itemsAt('/apis/berth.dev/v1alpha1/bgpsessions')
  /** Of each node that reports one: its state. */
  const states = (): string =>
    sessions()
      .map(({ status }) => `${status['node']} ${status['bgpStatus']}`)
      .sort()
      .join(', ')
  const untilStates = (...wanted: readonly string[]) =>
    until(wanted.join(), () => (states() === wanted.join(', ') ? true : undefined), 80_000)
  const allUp = () => untilStates(...nodes.map((node) => `${node} Established`))
  /** The nodes that report the Service, with the peers they name. */
  const reported = (name: string): string =>
    itemsAt('/apis/metallb.io/v1beta1/namespaces/metallb-system/servicebgpstatuses')
      .filter(({ status }) => status?.['serviceName'] === name)
      .map(({ status }) => `${status['node']} ${status['peers']}`)
      .sort()
      .join(', ')
  const untilReported = (name: string, on: readonly string[]) => {
    const wanted = on.map((node) => `${node} router-1`).join(', ')
    const what = `${name} on ${on.join() || 'no node'}`
    return until(what, () => (reported(name) === wanted ? true : undefined), 80_000)
  }
  const berth = (...args: readonly string[]) =>
    lab.in('control', program, ...args, '--kubeconfig', `/run/berth-lab/${lab.name}/api/kubeconfig`)

  /** Routes of both families that the router has from there. */
  const sentBy = (address: string): number =>
    ['ipv4', 'ipv6'].reduce((sum, family) => {
      const shown = lab.vtysh(`show bgp ${family} unicast summary json`)
      const { peers } = JSON.parse(shown) as { readonly peers: Record<string, { pfxRcd: number }> }
      return sum + (peers[address]?.pfxRcd ?? 0)
    }, 0)
  /** What the router has counted of its messages. */
  const countedFor = (address: string): Readonly<Record<string, number>> => {
    type Neighbour = { readonly messageStats: Readonly<Record<string, number>> }
    const shown = JSON.parse(lab.vtysh(`show bgp neighbors ${address} json`))
    return (shown as Record<string, Neighbour>)[address]?.messageStats ?? {}
  }
  const extra = service({ name: 'extra', address: '10.50.0.77' })
  beforeAll(async () => {
    lab = upWith('frr', { name: 'bgpseen' })
    await untilHops(lab, prefix, hops)
    apply(lab, [extra])
    await untilReported('extra', nodes)
    await allUp()
  })
  afterEach(async () => {
    client?.stop()
    lab.berth('heal')
    berth('undrain', 'node-1')
    await untilHops(lab, prefix, hops)
    await allUp()
  })
  afterAll(() => lab?.down())

  test('[R8.10] a session says with whom, since when and on what terms', () => {
    const [one] = sessions().filter(({ status }) => status['node'] === 'node-1')
    expect(one?.metadata).toMatchObject({
      name: expect.stringMatching(/^node-1-router-1-[0-9a-f]{8}$/),
      ownerReferences: [{ kind: 'Node', name: 'node-1' }],
    })
    expect(one?.status).toMatchObject({
      ...{ bgpStatus: 'Established', bfdStatus: 'N/A', node: 'node-1', peer: 'router-1' },
      ...{ localAddress: '10.10.0.11', peerAddress: '10.10.0.1', peerPort: 179 },
      ...{ localASN: 64512, peerASN: 64513, since: expect.stringMatching(/^20.*Z$/) },
      agreed: {
        ...{ holdTime: '3s', keepaliveTime: '1s', families: ['IPv4', 'IPv6'] },
        capabilities: expect.arrayContaining(['four-octet-as', 'route-refresh']),
      },
    })
  })

  test("[M7.1] MetalLB's figures are those of the router", async () => {
    const asked = ['curl', '-s', '--noproxy', '*', 'http://127.0.0.1:9130/metrics'] as const
    const labels = '{peer="10.10.0.1:179",vrf=""}'
    const figure = (name: string): number => {
      const lines = lab.in('node-1', ...asked).out.split('\n')
      return Number(lines.find((line) => line.startsWith(`${name}${labels} `))?.split(' ')[1])
    }
    expect(figure('metallb_bgp_session_up')).toBe(1)
    expect(figure('metallb_bgp_announced_prefixes_total')).toBe(sentBy('10.10.0.11'))
    const keepalives = countedFor('10.10.0.11')['keepalivesRecv']
    expect(figure('metallb_bgp_keepalives_sent')).toBeGreaterThanOrEqual(keepalives ?? 0)
    // FRR may count anew for a connection that it accepts, so what both count from now on is compared.
    const counted = () => {
      const theirs = countedFor('10.10.0.11')['updatesRecv'] ?? 0
      return { theirs, ours: figure('metallb_bgp_updates_total') }
    }
    const before = counted()
    const figured = service({ name: 'figured', address: '10.50.0.78' })
    apply(lab, [figured])
    await untilHops(lab, '10.50.0.78/32', hops)
    const after = counted()
    expect(after.ours).toBeGreaterThan(before.ours)
    expect(after.ours - before.ours).toBe(after.theirs - before.theirs)
    remove(lab, [figured])
    await untilHops(lab, '10.50.0.78/32', [])
  })

  test('berth bgp, explain and status tell the same', async () => {
    const peers = await until('routes are counted', () => {
      const { out } = berth('bgp', 'peers')
      return / Established +\S+ +[1-9]/.test(out) ? out : undefined
    })
    expect(peers.split('\n').slice(0, 2).join('\n')).toMatch(
      /^NODE +PEER +AS +STATE +SINCE +SENT +RECEIVED +BFD\nnode-1 +router-1 +64513 +Established/,
    )
    const routes = berth('bgp', 'routes', '--node', 'node-2', '--peer', 'router-1').out
    expect(routes).toMatch(/^10\.50\.0\.77\/32 +node-2 +router-1 +announced +default\/extra$/m)
    expect(routes).not.toContain('node-1')
    const sent = lab.in('node-1', program, 'bgp', 'routes', '--local').out
    expect(sent).toMatch(/^10\.50\.0\.77\/32 +router-1 +10\.10\.0\.11 +- +- +-$/m)
    const explained = berth('explain', 'service', 'default/extra').out
    expect(explained).toMatch(
      /\+ node-1 {2}bgp 10\.50\.0\.77\/32 to router-1: Established since 20/,
    )
    expect(berth('status').out).toMatch(
      /^BGP +Services +sessions\n {2}node-1 +\d+ announced +1 up$/m,
    )
  })

  test('[R8.10] what is withdrawn is no longer reported', async () => {
    remove(lab, [extra])
    await untilReported('extra', [])
    expect(hopsTo(lab, '10.50.0.77/32')).toBe('')
    apply(lab, [extra])
    await untilReported('extra', nodes)
  })

  test('[R8.10] without the router: no session, why, and what is meant for it', async () => {
    lab.berth('fail', 'router', 'router-1')
    await untilStates(...nodes.map((node) => `${node} Active`))
    for (const { status } of sessions()) {
      expect(status).toMatchObject({ lastError: { message: expect.stringMatching(/./) } })
      expect(status).not.toHaveProperty('agreed')
    }
    await untilReported('extra', nodes)
    const { out } = berth('bgp', 'routes', '--node', 'node-1')
    expect(out).toContain('session-down')
  })

  test('[R8.10] what a killed speaker reported is cleared by another', async () => {
    lab.berth('fail', 'speaker', 'node-1')
    const others = nodes.slice(1)
    await untilStates(...others.map((node) => `${node} Established`))
    await untilReported('extra', others)
    lab.berth('heal')
    await allUp()
    await untilReported('extra', nodes)
  })

  test('[R8.4] a drained node has no route left, and no client fails to connect', async () => {
    client = flow(lab, 'http://10.50.0.1/')
    await client.answers(20)
    const path = '/api/v1/nodes/node-1'
    const label = 'node.kubernetes.io/exclude-from-external-load-balancers'
    const metadata = { name: 'node-1', labels: { [label]: 'berth-drain' } }
    apply(lab, [{ path, body: { apiVersion: 'v1', kind: 'Node', metadata } }])
    await until('the router is asked to prefer others', () => {
      const [one, ...rest] = lab.paths(prefix)
      const isAsked = one?.communities.includes('graceful-shutdown') === true
      return isAsked && rest.every(({ communities }) => communities.length === 0) ? true : undefined
    })
    const drained = berth('drain', 'node-1', '--timeout', '60')
    expect(drained.status).toBe(0)
    expect(hopsTo(lab, prefix)).toBe(hops.slice(1).join(' '))
    expect(reported('extra')).toBe('node-2 router-1, node-3 router-1')
    await client.answers(20)
    berth('undrain', 'node-1')
    await untilReported('extra', nodes)
    await client.answers(20)
    // What is under way when its way changes may break: another node does not know the connection.
    expect(client.stop().filter((line) => /curl: \(7\)|Connection timed out/.test(line))).toEqual(
      [],
    )
  })
})
