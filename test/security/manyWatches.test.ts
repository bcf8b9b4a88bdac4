// More watches than there are connections. The attacker holds a token of the embedded API. Afterwards:
// connections are left for other requests, and others can watch.
// Before: nobody else had a connection.
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

async function watching(stand: ApiStand, token: string): Promise<string> {
  const socket = await stand.socket()
  socket.on('error', () => undefined)
  onTestFinished(() => {
    socket.destroy()
  })
  const head = `Host: x\r\nAuthorization: Bearer ${token}\r\n`
  socket.write(`GET /api/v1/namespaces/shop/pods?watch=true HTTP/1.1\r\n${head}\r\n`)
  const [answer]: [Buffer] = (await once(socket, 'data')) as [Buffer]
  return answer.toString('latin1').slice(9, 12)
}

test('a user has its share, and all together leave some connections', async () => {
  const limits = { connections: 60, watches: 40, watchesOfUser: 25 }
  const stand = await ApiStand.start({ limits })
  onTestFinished(() => stand.stop())
  const codes: string[] = []
  for (let made = 0; made < 50; made++) codes.push(await watching(stand, 'tenant'))
  expect(codes.filter((code) => code === '200')).toHaveLength(25)
  expect(new Set(codes.slice(25))).toEqual(new Set(['429']))
  expect(await watching(stand, 'reader')).toBe('200')
  expect((await stand.ask('/api/v1/pods')).code).toBe(200)
})

test('who ends a watch may begin another', async () => {
  const stand = await ApiStand.start({ limits: { watchesOfUser: 1 } })
  onTestFinished(() => stand.stop())
  const path = '/api/v1/pods?watch=true&timeoutSeconds=1'
  for (let made = 0; made < 2; made++) expect((await stand.ask(path)).code).toBe(200)
})
