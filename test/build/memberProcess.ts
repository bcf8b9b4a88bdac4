// One speaker's membership as a process of its own, to be killed: node port key seedPort...
// It writes a line of JSON, { live: [...] }, whenever that changes, and its counts on SIGUSR2.

import { type Members, startMembers } from '../../src/app/speaker/membership/members.ts'
import { parseIp } from '../../src/core/net/ip.ts'
import { parseKeys } from '../../src/edge/host/sealingKey.ts'

const [node = '', port = '', key = '', ...seedPorts] = process.argv.slice(2)
const [address, keys] = [parseIp('127.0.0.1'), parseKeys(key)]
if (!address.ok || !keys.ok) throw new Error('usage: memberProcess.ts node port key seedPort...')
const at = (port: string) => ({ address: address.value, port: Number(port) })
const write = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)
const show = () => write({ live: [...(members?.speakers.live ?? [])].sort() })

let members: Members | undefined
members = await startMembers({
  node,
  bind: [at(port)],
  endpoint: at(port),
  keys: keys.value,
  discovery: async (found) => found({ seeds: seedPorts.map(at), expected: [] }),
  changed: show,
  extend: () => undefined,
  log: () => undefined,
})
members.setOwn({ isReady: true, hasApi: true, links: [] })
show()
process.on('SIGUSR2', () => write({ counts: members.counts }))
