// Requests whose body never ends. The attacker holds a token of the embedded API, and opens as many
// connections as are allowed. Afterwards: others are answered, and a watch goes on.
// Before: no connection was left.
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

const head = 'Host: x\r\nAuthorization: Bearer admin\r\n'
const endless = `${head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`

test('they do not keep others out', async () => {
  const stand = await ApiStand.start({ limits: { connections: 100 } })
  onTestFinished(() => stand.stop())
  const watching = await stand.socket()
  watching.write(`GET /api/v1/pods?watch=true HTTP/1.1\r\n${head}\r\n`)
  await once(watching, 'data')
  for (let made = 0; made < 150; made++) {
    const socket = await stand.socket()
    socket.on('error', () => undefined)
    onTestFinished(() => {
      socket.destroy()
    })
    socket.write(`POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\n${endless}`)
  }
  expect((await stand.ask('/api/v1/pods')).code).toBe(200)
  expect(watching.destroyed).toBe(false)
})
