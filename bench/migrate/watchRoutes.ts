// For which prefixes does a router have no route, and for how long? Asks GoBGP ten times a second
// until it is told to stop.
import { execFile } from 'node:child_process'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const [gobgp = '', ...addresses] = process.argv.slice(2)
const ask = promisify(execFile)
const everyMs = 100
const seen = new Map<string, { lastMs: number; gapMs: number; gapAt: string; paths: number }>()
let isStopped = false
process.on('SIGTERM', () => {
  isStopped = true
})

while (!isStopped) {
  const { stdout } = await ask(gobgp, ['global', 'rib', '-j'])
  const nowMs = performance.now()
  const rib: Readonly<Record<string, readonly unknown[]>> = JSON.parse(stdout || '{}') ?? {}
  for (const address of addresses) {
    const paths = rib[`${address}/32`]?.length ?? 0
    const one = seen.get(address) ?? { lastMs: nowMs, gapMs: 0, gapAt: '', paths }
    if (nowMs - one.lastMs > one.gapMs) {
      one.gapMs = nowMs - one.lastMs
      one.gapAt = new Date().toISOString()
    }
    if (paths > 0) one.lastMs = nowMs
    one.paths = Math.min(one.paths, paths)
    seen.set(address, one)
  }
  await sleep(everyMs)
}
const rows = addresses.map((address) => {
  const { gapMs = -1, gapAt = '', paths = 0 } = seen.get(address) ?? {}
  return { address, gapMs: Math.round(gapMs), gapAt, fewestPaths: paths, doubleMs: 0 }
})
process.stdout.write(`${JSON.stringify(rows)}\n`)
