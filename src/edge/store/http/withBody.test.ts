// Proves for how long a body counts: until the request is decided, whoever reads the answer or not.
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WaitingBodies } from '../../host/waitingBodies.ts'
import { done, type Outcome, refused } from '../values/status.ts'
import { ParsingRoom } from './parsingRoom.ts'
import { withBody } from './withBody.ts'

const mostBytes = 1_000
const conflict = { code: 409, reason: 'Conflict', message: 'it is there' }

test.each<{ what: string; outcome: () => Outcome<string> }>([
  { what: 'is answered', outcome: () => done('made') },
  { what: 'is refused', outcome: () => refused(conflict) },
  {
    what: 'has failed',
    outcome: () => {
      throw new Error('the disk is gone')
    },
  },
])('once a request $what, its body waits no longer', async ({ outcome }) => {
  const waiting = new WaitingBodies(mostBytes)
  const parsing = new ParsingRoom(mostBytes)
  const limits = { user: 'tenant', maxBytes: mostBytes, waiting, parsing }
  let isDecided = false
  const decided = () => {
    isDecided = true
  }
  // Its answer is never sent, and the connection stays open.
  const server = createServer((request, response) => {
    const incoming = { request, response, waitsForContinue: false }
    withBody(incoming, limits, outcome).then(decided, decided)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${mostBytes}\r\n\r\n`
  socket.write(`${head}${' '.repeat(mostBytes)}`)
  await expect.poll(() => isDecided).toBe(true)
  let isEnded = false
  const other = waiting.begin('admin', () => {
    isEnded = true
  })
  if (other === undefined) throw new Error('another was not let in')
  waiting.add(other, mostBytes)
  expect(isEnded).toBe(false)
})
