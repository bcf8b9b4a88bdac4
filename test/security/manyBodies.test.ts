// More bodies than memory has room for. The attacker holds a token of the embedded API for a namespace,
// and sends nearly all of a body on each of thousands of connections. Afterwards: the oldest of its own
// requests end, and others are answered.
// Before: all were kept, 3 MB each, until the program had no memory left.
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

const [bodyBytes, count] = [100_000, 30]
const path = '/api/v1/namespaces/shop/configmaps'
const head = `Host: x\r\nAuthorization: Bearer tenant\r\nContent-Length: ${bodyBytes}\r\n`

test('bodies that are under way have room for so much together', async () => {
  const stand = await ApiStand.start({ isWhole: true, limits: { bodiesBytes: 10 * bodyBytes } })
  onTestFinished(() => stand.stop())
  let closed = 0
  for (let made = 0; made < count; made++) {
    const socket = await stand.socket()
    onTestFinished(() => void socket.destroy())
    socket
      .on('error', () => undefined)
      .on('close', () => {
        closed += 1
      })
    socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n`)
    socket.write(Buffer.alloc(bodyBytes - 1, ' '))
  }
  await expect.poll(() => closed).toBeGreaterThan(count / 2)
  const body = { metadata: { name: 'mine' } }
  const options = { method: 'POST', token: 'admin', body } as const
  expect((await stand.ask('/api/v1/namespaces/default/configmaps', options)).code).toBe(201)
})
