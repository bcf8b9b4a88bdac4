// Policy cannot write: what it is handed has no method that changes anything, however deep it looks.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'berth-readonly-'))
afterAll(() => rmSync(folder, { recursive: true }))

const opening = `import type { ReadonlyWorld } from '${resolve('src/core/model/world.ts')}'
declare const world: ReadonlyWorld
const [pool] = world.pools.values()
const [service] = world.services.values()
const [slot] = world.ledger.slots()
if (pool === undefined || service === undefined || slot === undefined) throw new Error('nothing')
const ledger = world.ledgerOf(pool)
const holding = world.holdingOf(service.key)
const [host] = world.nodes.held.of('')
const [config] = world.nodes.configsIn('')
const subnet = world.nodes.subnet('')
if (host === undefined || config === undefined || subnet === undefined) throw new Error('nothing')
if (ledger === undefined || holding === undefined) throw new Error('nothing')
`
const reads = [
  'world.ledger.holding(service.key)',
  'slot.holders.values().sort()',
  'ledger.lowest("IPv4", "", [])',
  'world.without(service.key).use.used("")',
  'world.nodes.held.at("", slot.ip).length',
  'subnet.free().next()',
  'world.nodes.waiting.has("")',
]
const writes = [
  'world.apply({ type: "delete", kind: "Service", key: service.key })',
  'world.wake(service.key)',
  'world.listen(() => undefined)',
  'world.queue.pop()',
  'world.services.clear()',
  'world.pools.delete(pool.name)',
  'world.all("Node").clear()',
  'world.ledger.setPool(pool.name, undefined)',
  'world.ledger.release(service.key)',
  'world.ledger.hold(service.key, holding.ips, holding.claim)',
  'world.ledger.reserve(slot.ip, undefined)',
  'world.without(service.key).ledger.release(service.key)',
  'world.waiting.leave(service.key)',
  'world.inert.add({ kind: "Tenant", key: "" })',
  'world.inert.end("Tenant", "")',
  'world.use.leave(holding)',
  'world.use.enter(holding)',
  'world.poolIndex.forget()',
  'slot.holders.clear()',
  'slot.holders.delete(service.key)',
  'slot.ports.clear()',
  'slot.drop(holding.claim)',
  'slot.reservation = undefined',
  'slot.elsewhere = new Set()',
  'slot.reflected.isTaken = false',
  'ledger.reflect(slot)',
  'ledger.slots.clear()',
  'ledger.pool = pool',
  'holding.ips.push(slot.ip)',
  'holding.claim.tenant = ""',
  'world.nodes.queue.pop()',
  'world.nodes.wake("")',
  'world.nodes.follow(undefined, undefined)',
  'world.nodes.change({ type: "node", ipSet: "" })',
  'world.nodes.turned(slot.ip)',
  'world.nodes.held.set(host, { isPending: true })',
  'world.nodes.held.unset(host, { isPending: false })',
  'world.nodes.held.of("").clear()',
  'world.nodes.held.at("", slot.ip).push(host)',
  'world.nodes.waiting.leave("")',
  'world.nodes.links.forget()',
  'world.nodes.ipSetsIn("").clear()',
  'world.nodes.configsIn("").push(config)',
  'world.nodes.wiresIn("", "").push("")',
  'host.isReserved = false',
  'host.claim = undefined',
  'subnet.release(slot.ip)',
]

test('every read compiles inside policy, and no write does', () => {
  const lines = [...opening.trimEnd().split('\n'), ...reads, ...writes]
  const file = join(folder, 'writing.ts')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const tsc = spawnSync(
    'tsc',
    [...'--ignoreConfig --noEmit --strict --target ES2024 --module NodeNext'.split(' ')].concat(
      '--allowImportingTsExtensions',
      '--types',
      '',
      file,
    ),
    { encoding: 'utf8' },
  )
  const failed = new Set(
    [...tsc.stdout.matchAll(/writing\.ts\((\d+),/g)].map(([, line]) => lines[Number(line) - 1]),
  )
  expect([...failed]).toEqual(writes)
})
