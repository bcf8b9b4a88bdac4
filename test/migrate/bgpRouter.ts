// A router that takes a session from any node: how many paths has it to each address? It writes each
// change to a file, a line of JSON each, so that nothing is missed between two looks.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:net'
import process from 'node:process'
import { decodeUpdate } from '../../src/core/wire/bgp/update.ts'
import { prefixTexts } from '../build/bgpMessages.ts'
import { bgpLine } from './bgpLine.ts'
import { asNumbers, clientAddresses } from './rig.ts'

const [file = ''] = process.argv.slice(2)
const tables = new Map<object, Set<string>>()

function tell(): void {
  const paths: Record<string, number> = {}
  for (const table of tables.values()) {
    for (const prefix of table) paths[prefix] = (paths[prefix] ?? 0) + 1
  }
  appendFileSync(file, `${JSON.stringify(paths)}\n`)
}

const server = createServer((socket) => {
  const table = new Set<string>()
  bgpLine(socket, {
    asn: asNumbers.router,
    routerId: clientAddresses.lan4,
    isUp: () => void tables.set(socket, table),
    updated(body) {
      const read = decodeUpdate(body, { asSize: 4, isInternal: false })
      if (!read.ok) return void socket.destroy()
      for (const prefix of prefixTexts(read.value.withdrawn)) table.delete(prefix)
      for (const prefix of prefixTexts(read.value.announced)) table.add(prefix)
      tell()
    },
    ended() {
      tables.delete(socket)
      tell()
    },
  })
})
server.listen(179, clientAddresses.lan4, tell)
process.on('SIGTERM', () => process.exit(0))
