// Is a KEEPALIVE late while a speaker with fifty peers has everything to tell each of them, again and again?
// `--seconds 60`. Needs root, ip and bird.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { machine } from '../machine.ts'
import { answer, clear, places, raise, start, until } from './ground.ts'
import { peersCount, sourceOf } from './manyPeersPlan.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
const folder = mkdtempSync(join(tmpdir(), 'berth-bgp-'))
const peers = Array.from({ length: peersCount }, (_, at) => at)
try {
  process.stdout.write(`${machine()}\n`)
  raise()
  for (const at of peers) {
    answer('sender', 'ip', 'addr', 'add', `${sourceOf(at)}/24`, 'dev', 'eth0')
  }
  const tables = peers.map((at) => `ipv4 table t${at};`)
  const bodies = peers.map(
    (at) => `protocol bgp p${at} {
  local as 64513; neighbor ${sourceOf(at)} as 64512; passive; direct;
  ipv4 { table t${at}; import all; export none; };
}`,
  )
  const [config, control] = [join(folder, 'bird.conf'), join(folder, 'bird.ctl')]
  const head = `router id ${places.receiver};\nprotocol device { }\n`
  writeFileSync(config, `${head}${tables.join('\n')}\n${bodies.join('\n')}\n`)
  const bird = start('receiver', 'bird', '-f', '-c', config, '-s', control)
  const shown = () => answer('receiver', 'birdc', '-s', control, 'show', 'protocols')
  await until('BIRD', () => shown().includes('p49'))
  const script = join(import.meta.dirname, 'manyPeersSender.ts')
  const sender = start('sender', process.execPath, script, values.seconds)
  sender.stdout?.pipe(process.stdout)
  await new Promise((resolve) => sender.once('exit', resolve))
  bird.kill()
} finally {
  clear()
  rmSync(folder, { recursive: true, force: true })
}
