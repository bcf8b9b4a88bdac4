// What if a router sends all it has? Half a million routes twice: nothing is kept of them, and beside
// it a session with a hold time of three seconds misses no timer.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../../kube/waits.ts'
import { birdPathsIn } from '../router.ts'
import { type Berth, places, type Stand, stand } from './stand.ts'
import { shown, wireFaults } from './wireFaults.ts'

const count = 500_000
const second = '10.77.0.3'
const spec = { myASN: 64512, peerASN: 64513, connectTime: '1s', keepaliveTime: '1s' }
const patienceMs = 100_000

/** As in the Internet, a few routes have their attributes in common. */
const routes = Array.from({ length: count }, (_, at) => {
  const prefix = `${20 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}.0/24`
  const set = `${64_000 + (at >> 18)},${(at >> 2) & 0xffff}`
  return `  route ${prefix} blackhole { bgp_community.add((${set})); };`
})

const configOf = (address: string, fixed: readonly string[]): string => `router id ${address};
log stderr all;
protocol device { }
protocol static fixed { disabled; ipv4;
${fixed.join('\n')}
}
protocol bgp node {
  local ${address} as 64513; neighbor ${places.node.four} as 64512; strict bind; direct; passive;
  error wait time 1, 4;
  ipv4 { import all; export where source = RTS_STATIC; next hop self; };
}
`

describe.skipIf(!('bird-2.0' in inject('routers')))('a full table', () => {
  let [its, berth]: [Stand, Berth] = [] as never
  const birdc = (name: string, ...words: readonly string[]): string =>
    its.run('router', 'birdc', '-s', join(its.folder, `${name}.ctl`), ...words)
  const start = async (name: string, address: string, fixed: readonly string[]) => {
    const file = join(its.folder, `${name}.conf`)
    writeFileSync(file, configOf(address, fixed))
    its.start('router', 'bird', '-f', '-c', file, '-s', join(its.folder, `${name}.ctl`))
    const isThere = () => (birdc(name, 'show', 'protocols').includes('BGP') ? true : undefined)
    await until(`BIRD, ${name}`, isThere, patienceMs)
  }
  const sessions = async () => (await berth.seen()).sessions
  const untilUp = () =>
    until('both sessions', async () =>
      (await sessions()).every(({ state }) => state === 'Established') ? true : undefined,
    )
  const received = async (): Promise<number> =>
    (await sessions()).find(({ name }) => name === 'full')?.counts.received['UPDATE'] ?? 0
  const memoryMb = (): number => {
    const status = readFileSync(`/proc/${berth.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
  }
  const exported = (): number =>
    Number(/, (\d+) exported/.exec(birdc('full', 'show', 'protocols', 'all', 'node'))?.[1] ?? 0)
  beforeAll(async () => {
    its = await stand('fulltable')
    its.run('router', 'ip', 'addr', 'add', `${second}/24`, 'dev', 'eth0')
    await start('full', places.router.four, routes)
    await start('other', second, [])
    berth = its.berth()
    // A router that is busy with a table of its own may itself be silent for seconds.
    const specs = {
      full: { ...spec, peerAddress: places.router.four, holdTime: '60s' },
      other: { ...spec, peerAddress: second, holdTime: '3s' },
    }
    berth.order({ kind: 'peers', specs })
    berth.routes([{ prefix: '10.80.0.1/32', localPref: undefined, communities: [] }])
    await untilUp()
  })
  afterAll(() => its.clear())

  test('it costs bounded memory, and no session ends for it', async () => {
    const before = memoryMb()
    for (let round = 0; round < 2; round++) {
      const heard = await received()
      birdc('full', 'enable', 'fixed')
      await until('all are sent', () => (exported() === count ? true : undefined), patienceMs)
      const isHeard = async () => ((await received()) - heard > count / 5 ? true : undefined)
      await until('they are heard', isHeard, patienceMs)
      birdc('full', 'disable', 'fixed')
      await until('all are withdrawn', () => (exported() === 0 ? true : undefined), patienceMs)
    }
    // A table of them would take more than this, at 200 bytes a route.
    expect(memoryMb() - before).toBeLessThan(100)
    const after = await sessions()
    expect(after.map(({ name, state, lastError }) => [name, state, lastError])).toEqual([
      ['full', 'Established', ''],
      ['other', 'Established', ''],
    ])
    for (const name of ['full', 'other']) {
      expect(birdPathsIn(birdc(name, 'show', 'route', '10.80.0.1/32', 'all'))).toHaveLength(1)
    }
  })
  test('nothing that the node sent was malformed', async () => {
    const sent = `ip.src == ${places.node.four}`
    const capture = await its.record()
    expect(shown(capture, `${sent} && bgp.type == 2`)).not.toBe('')
    expect(wireFaults(capture, sent)).toEqual([])
  })
})
