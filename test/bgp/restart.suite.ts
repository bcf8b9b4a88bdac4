// Do routes stay in the router while a speaker restarts, and go where the node does? With a client
// that never stops asking, and every change of the router's kernel on record.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { run } from '../lab/namespaces.ts'
import { apply, type Written } from '../lab/objects.ts'
import { type Flow, flow, recorded } from './flow.ts'
import { pidOf, type RouterKind, type RouterLab, untilHops, upWith } from './router.ts'

const prefix = '10.50.0.1/32'
const hops = ['10.10.0.11', '10.10.0.12', '10.10.0.13']
const others = hops.slice(1)
const namespace = 'metallb-system'

const object = (kind: string, name: string, spec: object): Written => {
  const version = kind === 'BGPPeer' ? 'v1beta2' : 'v1beta1'
  return {
    path: `/apis/metallb.io/${version}/namespaces/${namespace}/${kind.toLowerCase()}s/${name}`,
    body: { apiVersion: `metallb.io/${version}`, kind, metadata: { name, namespace }, spec },
  }
}
// BIRD before 2.14 takes the AdminDown of a speaker that stops for a failure.
const flagsFor = { frr: ['--bfd'], bird: [] } as const
const missed = { frr: { holdTime: '90s', bfdProfile: 'lab' }, bird: { holdTime: '30s' } }
const peer = (kind: RouterKind): Written =>
  object('BGPPeer', 'router-1', {
    ...{ myASN: 64512, peerASN: 64513, peerAddress: '10.10.0.1', dualStackAddressFamily: true },
    ...{ ...missed[kind], enableGracefulRestart: true },
  })
// Slow enough for a busy machine.
const calm = { receiveInterval: 300, transmitInterval: 300, detectMultiplier: 7 }
const node = (labels: object, spec: object = {}): Written => ({
  path: '/api/v1/nodes/node-1',
  body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', labels }, spec },
})
const excluded = 'node.kubernetes.io/exclude-from-external-load-balancers'

/** Nodes whose routes the router keeps although their sessions are gone. */
function staleHops(lab: RouterLab): readonly string[] {
  if (lab.kind === 'frr') {
    const shown = lab.vtysh(`show bgp ipv4 unicast ${prefix} json`)
    const { paths = [] } = JSON.parse(shown) as {
      readonly paths?: readonly { stale?: boolean; nexthops: readonly { ip: string }[] }[]
    }
    return paths.filter(({ stale }) => stale === true).map(({ nexthops }) => nexthops[0]?.ip ?? '')
  }
  return hops.filter((_, at) =>
    lab.birdc('show', 'protocols', 'all', `node${at + 1}`).includes('graceful restart active'),
  )
}

const untilStale = (lab: RouterLab, wanted: readonly string[]): Promise<true> =>
  until(`stale: ${wanted.join() || 'none'}`, () =>
    staleHops(lab).join() === wanted.join() ? true : undefined,
  )

/** All of them, as the API has it. */
const untilAgreed = (lab: RouterLab): Promise<true> =>
  until(
    'graceful restart with all',
    () => {
      const { items } = lab.ask('control', ['get', '/apis/berth.dev/v1alpha1/bgpsessions']) as {
        readonly items: readonly { readonly status: object }[]
      }
      const able = items.filter(({ status }) => JSON.stringify(status).includes('graceful-restart'))
      const shown = `"bfdStatus":"${lab.kind === 'frr' ? 'Up' : 'N/A'}"`
      const isUp = able.every(({ status }) => JSON.stringify(status).includes(shown))
      return able.length === hops.length && isUp ? true : undefined
    },
    80_000,
  )

/** How FRR was told that the session with the first node is over; BIRD 2.0 knows no Hard Reset. */
const farewells = (lab: RouterLab): readonly string[] =>
  readFileSync(`/run/berth-lab/${lab.name}/logs/bgpd-router-1.log`, 'utf8')
    .split('\n')
    .filter((line) => line.includes(`received from neighbor ${hops[0]}`))

const stopSpeaker = (lab: RouterLab): Promise<true> => {
  const pid = pidOf(lab, 'node-1', 'speaker')
  run(['kill', '-TERM', pid])
  const isGone = () => (run(['kill', '-0', pid]).status === 0 ? undefined : true)
  return until('the speaker has ended', isGone)
}

describe.skipIf(!inject('hasRouters')).each(['frr', 'bird'] as const)('restart, %s', (kind) => {
  let lab: RouterLab
  let client: Flow | undefined
  beforeAll(async () => {
    lab = upWith(kind, { name: `again${kind}`, flags: flagsFor[kind] })
    await untilHops(lab, prefix, hops)
    apply(lab, [object('BFDProfile', 'lab', calm), peer(kind)])
    await untilAgreed(lab)
    await untilHops(lab, prefix, hops)
  })
  afterEach(async () => {
    client?.stop()
    lab.berth('heal')
    apply(lab, [node({}, { unschedulable: false })])
    await untilHops(lab, prefix, hops)
    await untilAgreed(lab)
  })
  afterAll(() => lab?.down())

  test('[R8.12] a speaker that restarts loses no route and no client', async () => {
    const kernel = await recorded(lab, 'router-1')
    client = flow(lab, 'http://10.50.0.1/')
    await client.answers(20)
    await stopSpeaker(lab)
    await untilStale(lab, hops.slice(0, 1))
    await client.answers(20)
    expect(lab.paths(prefix).map(({ nextHop }) => nextHop)).toEqual(hops)
    lab.berth('heal')
    await untilStale(lab, [])
    await untilAgreed(lab)
    await client.answers(20)
    expect(lab.paths(prefix).map(({ nextHop }) => nextHop)).toEqual(hops)
    expect(client.stop()).toEqual([])
    const changes = kernel.stop().filter((line) => line.includes('10.50.0.1'))
    expect(changes.filter((line) => !hops.every((hop) => line.includes(hop)))).toEqual([])
  })

  test.each([
    { what: 'excluded', given: node({ [excluded]: 'maintenance' }) },
    { what: 'cordoned', given: node({}, { unschedulable: true }) },
  ])('[R8.12] one that stops on a node that is $what leaves nothing behind', async ({ given }) => {
    apply(lab, [given])
    // Its watch is not slower than this.
    await sleep(2_000)
    const before = kind === 'frr' ? farewells(lab).length : 0
    await stopSpeaker(lab)
    // After a Cease that is no Hard Reset, FRR would keep them.
    await untilHops(lab, prefix, others)
    expect(staleHops(lab)).toEqual([])
    if (kind === 'frr') {
      const [said] = farewells(lab).slice(before)
      expect(said).toMatch(/NOTIFICATION\(Hard Reset\).* 6\/2 \(Cease\/Administrative Shutdown/)
    }
  })

  test.runIf(kind === 'frr')(
    '[R8.11] a node that dies is out by BFD, whatever was agreed',
    async () => {
      lab.berth('fail', 'link', 'node-1')
      await untilHops(lab, prefix, others)
    },
  )
})
