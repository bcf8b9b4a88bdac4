// Bodies sent behind a watch on its own connection, where no answer can go out. The attacker holds a
// token of the embedded API for a namespace. Afterwards: the connection is closed, and others can write.
// Before: each body was kept for as long as the watch lived, and once they filled the room for all, every
// write of anybody else was cut off.
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

const bodyBytes = 100_000
const path = '/api/v1/namespaces/shop/configmaps'
const head = 'Host: x\r\nAuthorization: Bearer tenant\r\n'
const post = `POST ${path} HTTP/1.1\r\n${head}Content-Length: ${bodyBytes}\r\n\r\n`

test('bodies behind a watch do not keep others from writing', async () => {
  const stand = await ApiStand.start({ isWhole: true, limits: { bodiesBytes: 10 * bodyBytes } })
  onTestFinished(() => stand.stop())
  const socket = await stand.socket()
  const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve))
  socket.write(`GET ${path}?watch=true HTTP/1.1\r\n${head}\r\n`)
  await once(socket, 'data')
  for (let made = 0; made < 10; made++) {
    socket.write(post)
    socket.write(Buffer.alloc(bodyBytes, ' '))
  }
  await closed
  const body = { metadata: { name: 'mine' } }
  const options = { method: 'POST', token: 'admin', body } as const
  expect((await stand.ask('/api/v1/namespaces/default/configmaps', options)).code).toBe(201)
})
