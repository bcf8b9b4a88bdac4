// GoBGP as a sender. It takes many routes at once only from a file, so it has them before it is asked,
// and holds them back by policy until then.
import { existsSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Writer } from '../../src/core/wire/writer.ts'
import { type Contest, communityOf, type Sender } from './contest.ts'
import { answer, cpuMsOf, places, start, stopped, until } from './ground.ts'

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
/** Where the suite of test/bgp puts it. */
const home = join(cache, 'berth', 'routers', 'gobgp-4.8.0')

export const hasGobgp = existsSync(join(home, 'gobgpd'))

export async function startGobgpSender(contest: Contest): Promise<Sender> {
  const { folder, count } = contest
  const [config, table] = [join(folder, 'gobgpd.toml'), join(folder, 'table.mrt')]
  writeFileSync(
    config,
    `[global.config]
as = 64512
router-id = "${places.sender}"
port = -1
[global.apply-policy.config]
default-export-policy = "reject-route"
[[neighbors]]
[neighbors.config]
neighbor-address = "${places.receiver}"
peer-as = 64513
[neighbors.timers.config]
connect-retry = 1
idle-hold-time-after-reset = 1
`,
  )
  writeFileSync(table, tableOf(contest))
  const api = ['--api-hosts', '127.0.0.1:50051']
  const child = start('sender', join(home, 'gobgpd'), '-f', config, ...api, '-l', 'warn')
  const gobgp = (...words: readonly string[]) => answer('sender', join(home, 'gobgp'), ...words)
  await until('GoBGP', () => gobgp('neighbor').includes(places.receiver))
  gobgp('mrt', 'inject', 'global', table)
  await until('its routes', () =>
    gobgp('global', 'rib', 'summary').includes(`Destination: ${count}`),
  )
  await until('a session', () => gobgp('neighbor').includes('Establ'))
  const export_ = (what: 'accept' | 'reject') => {
    gobgp('global', 'policy', 'export', 'set', 'default', what)
    gobgp('neighbor', places.receiver, 'softresetout')
  }
  return {
    announce: () => export_('accept'),
    withdraw: () => void gobgp('global', 'rib', 'del', 'all'),
    cpuMs: () => cpuMsOf(child.pid),
    stop: () => stopped(child),
  }
}

/** MRT, RFC 6396 §4.3: one peer, and an entry for each route. */
function tableOf({ count, attributes }: Contest): Uint8Array {
  const all = new Writer(count * 64)
  const record = (subtype: number, body: Uint8Array): void => {
    all.u32(0).u16(13).u16(subtype).u32(body.length).bytes(body)
  }
  const id = octets(places.sender)
  record(1, new Writer().bytes(id).u16(0).u16(1).u8(2).bytes(id).bytes(id).u32(64512).done())
  for (let at = 0; at < count; at++) {
    const carried = new Writer(32)
    carried.u8(0x40).u8(1).u8(1).u8(0).u8(0x40).u8(2).u8(0).u8(0x40).u8(3).u8(4).bytes(id)
    if (attributes === 'different') {
      const [high = 0, low = 0] = communityOf(at).split(':').map(Number)
      carried.u8(0xc0).u8(8).u8(4).u16(high).u16(low)
    }
    const prefix = new Writer(8)
      .u8(32)
      .u8(10)
      .u8(at >> 16)
      .u8(at >> 8)
      .u8(at)
    const entry = new Writer(64).u32(at).bytes(prefix.done()).u16(1).u16(0).u32(0)
    record(2, entry.u16(carried.length).bytes(carried.done()).done())
  }
  return all.done()
}

const octets = (text: string): Uint8Array => Uint8Array.from(text.split('.').map(Number))
