// Does BFD take a node out that dies, and nothing else? The hold time is 90 s, and what a router
// says of the end of a session names BFD.
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { apply, type Written } from '../lab/objects.ts'
import { hopsTo, problems, type RouterLab, untilHops, upWith } from './router.ts'

const prefix = '10.50.0.1/32'
const hops = ['10.10.0.11', '10.10.0.12', '10.10.0.13']
const namespace = 'metallb-system'

const object = (kind: string, name: string, spec: object): Written => ({
  path: `/apis/metallb.io/v1beta1/namespaces/${namespace}/${kind.toLowerCase()}s/${name}`,
  body: {
    ...{ apiVersion: 'metallb.io/v1beta1', kind },
    ...{ metadata: { name, namespace }, spec },
  },
})
const profile = (spec: object): Written => object('BFDProfile', 'lab', spec)
const advertised = (pool: string): Written =>
  object('BGPAdvertisement', 'routed', { ipAddressPools: [pool] })

/** What our end says of a session, from its start on. */
const logOf = (lab: RouterLab, node: string): string =>
  readFileSync(`/run/berth-lab/${lab.name}/logs/speaker-${node}.log`, 'utf8')

/** The lines in which our end says that a session ended, and why. */
const endings = (lab: RouterLab): readonly string[] =>
  ['node-1', 'node-2', 'node-3'].flatMap((node) =>
    logOf(lab, node)
      .split('\n')
      .filter((line) => line.includes('session down')),
  )

type FrrBfd = {
  readonly peer: string
  readonly status: string
  readonly 'remote-transmit-interval': number
  readonly 'remote-receive-interval': number
  readonly 'remote-detect-multiplier': number
}

/** Sessions that are up, as `node pace`, in the router's words. */
function bfdSessions(lab: RouterLab): readonly string[] {
  if (lab.kind === 'bird') {
    return [...lab.birdc('show', 'bfd', 'sessions').matchAll(/^(\S+) +\S+ +Up .* (\S+) +(\S+)$/gm)]
      .map(([, node, interval, timeout]) => `${node} ${interval} ${timeout}`)
      .sort()
  }
  const all = JSON.parse(lab.vtysh('show bfd peers json')) as readonly FrrBfd[]
  return all
    .filter(({ status }) => status === 'up')
    .map((one) =>
      [
        ...[one.peer, one['remote-transmit-interval'], one['remote-receive-interval']],
        one['remote-detect-multiplier'],
      ].join(' '),
    )
    .sort()
}

// The lab's own pace gives a node 250 ms: a machine that runs other suites beside this one stops a
// process for longer, and a false down would be right.
const labPace = { frr: '50 50 5', bird: '0.050 0.250' } as const
const calm = { receiveInterval: 300, transmitInterval: 300, detectMultiplier: 7 }
const pace = { frr: '300 300 7', bird: '0.300 2.100' } as const
const slower = { frr: '400 400 5', bird: '0.400 2.000' } as const
const untilBfd = (lab: RouterLab, shown: string): Promise<true> =>
  until(`BFD with all: ${shown}`, () => {
    const wanted = hops.map((node) => `${node} ${shown}`).join(', ')
    return bfdSessions(lab).join(', ') === wanted ? true : undefined
  })

/** Why the router ended its session with the first node. */
const whyEnded = (lab: RouterLab): string =>
  lab.kind === 'frr'
    ? lab.vtysh(`show bgp neighbors ${hops[0]}`)
    : lab.birdc('show', 'protocols', 'all', 'node1')
const bfdDown = { frr: 'Cease/BFD Down', bird: 'BFD session down' } as const

describe.skipIf(!inject('hasRouters')).each(['frr', 'bird'] as const)('BFD with %s', (kind) => {
  let lab: RouterLab
  beforeAll(async () => {
    lab = upWith(kind, { name: `bfd${kind}`, flags: ['--bfd'] })
    await untilHops(lab, prefix, hops)
    await untilBfd(lab, labPace[kind])
    apply(lab, [profile(calm)])
    await untilBfd(lab, pace[kind])
  })
  afterEach(async () => {
    lab.berth('heal')
    await untilHops(lab, prefix, hops)
    await untilBfd(lab, pace[kind])
  })
  afterAll(() => lab?.down())

  test('[R8.11] a node that is cut off leaves the table by BFD, not by the hold time', async () => {
    const before = endings(lab)
    lab.berth('fail', 'link', 'node-1')
    await untilHops(lab, prefix, hops.slice(1))
    expect(whyEnded(lab)).toContain(bfdDown[kind])
    const said = 'Cease/BFD Down (6/10): nothing heard for 1500 ms'
    await until(said, () => (logOf(lab, 'node-1').includes(said) ? true : undefined))
    expect(endings(lab)).toHaveLength(before.length + 1)
  })

  test('[R8.11] new timers are agreed while everything stays up', async () => {
    const before = endings(lab)
    apply(lab, [profile({ receiveInterval: 400, transmitInterval: 400, detectMultiplier: 5 })])
    await untilBfd(lab, slower[kind])
    expect(hopsTo(lab, prefix)).toBe(hops.join(' '))
    apply(lab, [profile(calm)])
    await untilBfd(lab, pace[kind])
    expect(endings(lab)).toEqual(before)
  })
})

type FrrCounters = {
  readonly peer: string
  readonly 'echo-packet-input': number
  readonly 'echo-packet-output': number
}

describe.skipIf(!inject('hasRouters'))('a router without BFD, or with echo packets', () => {
  let lab: RouterLab
  beforeAll(async () => {
    lab = upWith('frr', { name: 'bfdfrr', flags: ['--bfd'] })
    await untilHops(lab, prefix, hops)
    apply(lab, [profile(calm)])
    await untilBfd(lab, pace.frr)
  })
  afterAll(() => lab?.down())

  test('[R8.11] one that ends BFD on purpose keeps its sessions, with a problem', async () => {
    const before = endings(lab)
    lab.vtysh('configure terminal', 'bfd', 'profile lab', 'shutdown')
    const isMissing = () => (problems(lab).includes('bfd-session-down') ? true : undefined)
    await until('the problem', isMissing)
    expect(hopsTo(lab, prefix)).toBe(hops.join(' '))
    expect(endings(lab)).toEqual(before)
    lab.vtysh('configure terminal', 'bfd', 'profile lab', 'no shutdown')
    await until('no problem', () => (isMissing() ? undefined : true))
  })

  test('[R8.11] echo packets go through the other side, both ways, and are missed', async () => {
    const before = endings(lab)
    const echoing = { ...calm, echoMode: true, echoInterval: 300 }
    const forward = (isOn: 0 | 1) =>
      lab.in('router-1', 'sysctl', '-w', `net.ipv4.conf.all.forwarding=${isOn}`)
    lab.vtysh('configure terminal', 'bfd', 'profile lab', 'echo-mode', 'echo receive-interval 300')
    // The other pool has IPv6, and that does not go with echo packets.
    const four = { addresses: ['10.51.0.0/24'], autoAssign: false }
    apply(lab, [object('IPAddressPool', 'four', four), advertised('four')])
    apply(lab, [profile(echoing)])
    const input = /^metallb_bfd_echo_packet_input\{.*\} ([0-9]+)$/m
    await until('ours come back', () => {
      const { out } = lab.in('node-1', 'curl', '-s', 'http://127.0.0.1:9130/metrics')
      return Number(input.exec(out)?.[1]) > 15 ? true : undefined
    })
    await until('those of the router come back', () => {
      const counters = lab.vtysh('show bfd peers counters json')
      const all = JSON.parse(counters) as readonly FrrCounters[]
      return all.every((one) => one['echo-packet-input'] > 50) ? true : undefined
    })
    expect(endings(lab)).toEqual(before)
    forward(0)
    const said = 'no echo packet came back for 2100 ms'
    await until(said, () => (logOf(lab, 'node-1').includes(said) ? true : undefined))
    forward(1)
    apply(lab, [profile({ ...calm, echoMode: false })])
    apply(lab, [advertised('routed')])
    lab.vtysh('configure terminal', 'bfd', 'profile lab', 'no echo-mode')
    await untilHops(lab, prefix, hops)
    await untilBfd(lab, pace.frr)
  })
})
