// Does BFD stay up on a busy machine? Berth and FRR at 50 ms x 3, and beside them BIRD and FRR, for so many
// minutes (`--minutes 10`) while the machine does other work (`--busy 2`: so many loops that never rest);
// `--interval 10` for 10 ms.
// Prints how often each went down. Needs root, ip, tcpdump, frr and bird.
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Frr, startFrr } from '../../test/bgp/interop/frr.ts'
import { places, type Stand, stand } from '../../test/bgp/interop/stand.ts'
import { until } from '../../test/kube/waits.ts'
import { machine } from '../machine.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    busy: { type: 'string', default: '0' },
    interval: { type: 'string', default: '50' },
  },
})
const { interval } = values
const { node, router } = places
const config = `frr defaults traditional
router bgp 64513
 bgp router-id ${router.four}
 no bgp ebgp-requires-policy
 neighbor ${node.four} remote-as 64512
 neighbor ${node.four} passive
 neighbor ${node.four} bfd profile fast
`
const bfd = `bfd
 profile fast
  receive-interval ${interval}
  transmit-interval ${interval}
  detect-multiplier 3
`
const birdConfig = `router id ${node.four};
protocol device { }
protocol bfd { interface "eth0" { interval ${interval} ms; multiplier 3; }; }
protocol bgp tor {
  local as 64512; neighbor ${router.four} as 64513; bfd on; direct;
  ipv4 { import none; export none; };
}
`

type Pair = { readonly name: string; readonly its: Stand; readonly frr: Frr }

async function pair(name: string, begin: (its: Stand) => void): Promise<Pair> {
  const its = await stand(`calm${name}`)
  const frr = await startFrr(its, '/', { config, bfd })
  begin(its)
  const isUp = () => (frr.vtysh('show bfd peers json').includes('"up"') ? true : undefined)
  await until(`BFD of ${name}`, isUp, 60_000)
  return { name, its, frr }
}

const berth = (its: Stand): void => {
  const spec = { myASN: 64512, peerASN: 64513, peerAddress: router.four, bfdProfile: 'fast' }
  const profile = {
    ...{ receiveInterval: Number(interval), transmitInterval: Number(interval) },
    detectMultiplier: 3,
  }
  its.berth().order({ kind: 'peers', specs: { tor: spec }, profile })
}
const bird = (its: Stand): void => {
  const file = join(its.folder, 'bird.conf')
  writeFileSync(file, birdConfig)
  its.start('node', 'bird', '-f', '-c', file, '-s', join(its.folder, 'bird.ctl'))
}

const counted = ({ frr }: Pair, what: string): number =>
  Number(new RegExp(`"${what}": *(\\d+)`).exec(frr.vtysh('show bfd peers counters json'))?.[1] ?? 0)

const pairs: Pair[] = []
const loops: ChildProcess[] = []
process.stdout.write(`${machine()}\n`)
try {
  pairs.push(await pair('Berth', berth))
  pairs.push(await pair('BIRD', bird))
  const before = pairs.map((one) => counted(one, 'session-down'))
  for (let at = 0; at < Number(values.busy); at++) {
    loops.push(spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(2)'], { stdio: 'ignore' }))
  }
  const loads: number[] = []
  for (const endMs = performance.now() + Number(values.minutes) * 60_000; ; await sleep(5_000)) {
    loads.push(loadavg()[0] ?? 0)
    if (performance.now() > endMs) break
  }
  const [least, most] = [Math.min(...loads).toFixed(1), Math.max(...loads).toFixed(1)]
  for (const [at, one] of pairs.entries()) {
    const downs = counted(one, 'session-down') - (before[at] ?? 0)
    process.stdout.write(
      `${one.name} and FRR, ${interval} ms x 3, ${values.minutes} minutes: down ${downs} times\n`,
    )
  }
  process.stdout.write(`load ${least} to ${most}\n`)
} finally {
  for (const loop of loops) loop.kill()
  for (const { its } of pairs) await its.clear()
}
