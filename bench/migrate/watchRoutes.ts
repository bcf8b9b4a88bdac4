// For which addresses does a router have no route, and for how long? Asks FRR ten times a second until
// it is told to stop.
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { frrControl } from '../bgp/control.ts'

const [socket = '', ...addresses] = process.argv.slice(2)
const { ask, end } = await frrControl(socket)
const everyMs = 100
const seen = new Map<string, { lastMs: number; gapMs: number; gapAt: string; fewest: number }>()
let isStopped = false
process.on('SIGTERM', () => {
  isStopped = true
})

type Table = {
  readonly routes?: Readonly<Record<string, readonly { readonly valid?: boolean }[]>>
}

async function pathsOf(family: 'ipv4' | 'ipv6'): Promise<ReadonlyMap<string, number>> {
  const said = await ask(`show bgp ${family} unicast json`)
  const table: Table = JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1) || '{}')
  const counted = Object.entries(table.routes ?? {}).map(
    ([prefix, paths]) => [prefix.split('/')[0] ?? '', paths.filter(isValid).length] as const,
  )
  return new Map(counted)
}

const isValid = ({ valid }: { readonly valid?: boolean }): boolean => valid === true

while (!isStopped) {
  const paths = new Map([...(await pathsOf('ipv4')), ...(await pathsOf('ipv6'))])
  const nowMs = performance.now()
  for (const address of addresses) {
    const count = paths.get(address) ?? 0
    const one = seen.get(address) ?? { lastMs: nowMs, gapMs: 0, gapAt: '', fewest: count }
    if (nowMs - one.lastMs > one.gapMs) {
      one.gapMs = nowMs - one.lastMs
      one.gapAt = new Date().toISOString()
    }
    if (count > 0) one.lastMs = nowMs
    one.fewest = Math.min(one.fewest, count)
    seen.set(address, one)
  }
  await sleep(everyMs)
}
const rows = addresses.map((address) => {
  const { gapMs = -1, gapAt = '', fewest = 0 } = seen.get(address) ?? {}
  return { address, gapMs: Math.round(gapMs), gapAt, fewest, doubleMs: 0 }
})
process.stdout.write(`${JSON.stringify(rows)}\n`)
end()
