// How long does one route take from the wire to the kernel of a router with FRR, whoever sends it? Berth, and then
// BIRD, to the same FRR. `--rounds 20`. Prints lines of docs/bench/bgp.md. Needs root, ip, tcpdump, frr and bird.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { machine } from '../machine.ts'
import { type Contest, prefixOf } from './contest.ts'
import { answer, clear, places, raise, start, stopped, until } from './ground.ts'
import { startBerth, startBirdSender } from './senders.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const rounds = Number(values.rounds)
const senders = { Berth: startBerth, BIRD: startBirdSender } as const
const names = ['Berth', 'BIRD'] as const
const nowMs = (): number => performance.timeOrigin + performance.now()
const folder = mkdtempSync(join(tmpdir(), 'berth-bgp-'))
const [address] = prefixOf(0).split('/')

/** With zebra, which tells the kernel. */
async function startFrr() {
  const home = join(folder, 'frr')
  mkdirSync(home)
  const config = `router bgp 64513
 bgp router-id ${places.receiver}
 no bgp ebgp-requires-policy
 neighbor ${places.sender} remote-as 64512
 neighbor ${places.sender} passive
`
  const daemon = (role: string, text: string) => {
    writeFileSync(join(home, `${role}.conf`), text)
    const common = ['-u', 'root', '-g', 'frrvty', '-P', '0', '-z', join(home, 'zserv.api')]
    const files = ['-f', join(home, `${role}.conf`), '-i', join(home, `${role}.pid`)]
    return start('receiver', `/usr/lib/frr/${role}`, ...common, ...files, '--vty_socket', home)
  }
  const shown = (line: string) => answer('receiver', 'vtysh', '--vty_socket', home, '-c', line)
  const zebra = daemon('zebra', '')
  await until('zebra', () => shown('show zebra client summary') !== '')
  const bgpd = daemon('bgpd', config)
  await until('bgpd', () => shown('show bgp summary').includes(places.sender))
  return () => Promise.all([stopped(bgpd), stopped(zebra)])
}

/** Lines of a program, each with when it came, or what it says of when. */
function lines(place: 'sender' | 'receiver', command: readonly string[], isStamped: boolean) {
  const found: { readonly atMs: number; readonly text: string }[] = []
  const child = start(place, ...command)
  if (child.stdout === null) throw new Error('no pipe')
  createInterface(child.stdout).on('line', (text) => {
    found.push({ text, atMs: isStamped ? Number(text.split(' ')[0]) * 1000 : nowMs() })
  })
  return { found, child }
}

async function measured(name: (typeof names)[number]): Promise<readonly number[]> {
  const given: Contest = { folder, count: 1, attributes: 'equal' }
  const filter = `src host ${places.sender} and tcp port 179 and greater 90`
  const dump = ['tcpdump', '-tt', '-l', '-n', '--immediate-mode', '-i', 'eth0', filter]
  const sender = await senders[name](given)
  const wire = lines('sender', dump, true)
  const kernel = lines('receiver', ['ip', '-o', 'monitor', 'route'], false)
  const took: number[] = []
  try {
    await sleep(2_000)
    for (let round = 0; round < rounds; round++) {
      const [sent, seen] = [wire.found.length, kernel.found.length]
      const change = (isGone: boolean) =>
        kernel.found
          .slice(seen)
          .find(({ text }) => text.includes(`${address} `) && /^Deleted/.test(text) === isGone)
      void sender.announce()
      await until('the route', () => change(false) !== undefined)
      took.push((change(false)?.atMs ?? 0) - (wire.found[sent]?.atMs ?? 0))
      void sender.withdraw()
      await until('no route', () => change(true) !== undefined)
      // Not in step with what FRR does every 50 ms.
      await sleep(300 + Math.random() * 100)
    }
  } finally {
    for (const { child } of [wire, kernel]) await stopped(child)
    await sender.stop()
  }
  return took.toSorted((one, other) => one - other)
}

process.stdout.write(`${machine()}\n`)
raise()
try {
  const end = await startFrr()
  for (const name of names) {
    const took = await measured(name)
    const at = (part: number) => (took[Math.floor((took.length - 1) * part)] ?? 0).toFixed(0)
    const load = loadavg()[0]?.toFixed(1)
    process.stdout.write(
      `one route from ${name}, from the wire to the kernel of FRR: p50 ${at(0.5)} ms, ` +
        `p90 ${at(0.9)} ms, max ${at(1)} ms of ${took.length} (load ${load})\n`,
    )
  }
  await end()
} finally {
  clear()
  rmSync(folder, { recursive: true, force: true })
}
