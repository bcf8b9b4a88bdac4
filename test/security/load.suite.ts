// How much load `berth up` withstands. The attacker can reach its port, or holds a token for a
// namespace. Afterwards: others are answered, and memory is limited.
// Before: 5,200 connections shut everybody out, and unread answers filled the memory.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { configMap, core, refusal, verbs } from '../kube/cluster.ts'
import { berth, newData, residentBytes, startUp, type Up } from '../up/berth.ts'
import { asking, portOf, secureSocket } from '../up/sockets.ts'

const megabyte = 1024 * 1024
const maps = '/api/v1/namespaces/default/configmaps'
const figures: string[] = []

afterAll(() => {
  process.stdout.write(`${figures.join('\n')}\n`)
})

/** The longest of some ordinary calls. */
async function slowestMs({ api }: Up): Promise<number> {
  const objects = verbs(api, core('configmaps', 'default'))
  let slowest = 0
  for (let at = 0; at < 10; at++) {
    const began = performance.now()
    await objects.create(configMap(`quick-${at}`))
    await objects.remove(`quick-${at}`)
    slowest = Math.max(slowest, performance.now() - began)
  }
  return slowest
}

async function figure(up: Up, what: string, before: number): Promise<number> {
  const grown = (residentBytes(up.pid) - before) / megabyte
  const ms = await slowestMs(up)
  figures.push(
    `${what}: ${grown.toFixed(0)} MB more, then ${ms.toFixed(0)} ms for a write and a delete`,
  )
  return grown
}

async function end(up: Up): Promise<void> {
  await up.stop('SIGTERM')
  expect(up.program.status()).toBe(0)
}

/** A user of the namespace default. */
async function tenantOf(up: Up): Promise<(options?: object) => Promise<TLSSocket>> {
  const { out } = await berth('token', '--data', up.folder.path, '--namespace', 'default')
  const bearer = `Authorization: Bearer ${out.trim()}\r\n`
  return async () => {
    const socket = await secureSocket(up, { cert: undefined, key: undefined })
    const write = socket.write.bind(socket)
    socket.write = (text: unknown) =>
      write(String(text).replace('Host: x\r\n', `Host: x\r\n${bearer}`))
    return socket
  }
}

test('5,200 silent connections', async () => {
  const up = await startUp(newData())
  await slowestMs(up)
  const before = residentBytes(up.pid)
  for (let at = 0; at < 52; at++) {
    await Promise.all(
      Array.from({ length: 100 }, () => {
        const socket = connect(portOf(up), '127.0.0.1').on('error', () => undefined)
        onTestFinished(() => {
          socket.destroy()
        })
        return new Promise((resolve) => socket.on('connect', resolve).on('error', resolve))
      }),
    )
  }
  expect(await figure(up, '5,200 silent connections', before)).toBeLessThan(300)
  await end(up)
})

test.each([
  { count: 200, query: '' },
  { count: 40, query: '?pretty=true' },
])('$count answers of 2.5 MB that nobody reads $query', async ({ count, query }) => {
  const up = await startUp(newData())
  const objects = verbs(up.api, core('configmaps', 'default'))
  const data = { x: '"{},:'.repeat(100_000) }
  for (let at = 0; at < 4; at++) await objects.create(configMap(`big-${at}`, data))
  const tenant = await tenantOf(up)
  await slowestMs(up)
  const before = residentBytes(up.pid)
  for (let at = 0; at < count; at++) {
    const socket = await tenant()
    socket.pause()
    socket.write(asking(`${maps}${query}`))
  }
  await sleep(500)
  const what = `${count} unread answers ${query}`
  expect(await figure(up, what, before)).toBeLessThan(600)
  await end(up)
})

/** What a watch is answered with; those that are served stay open. */
async function watchCode(open: () => Promise<TLSSocket>): Promise<string> {
  const socket = await open()
  socket.on('error', () => undefined)
  socket.write(asking(`${maps}?watch=true`))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  const code = answer.toString('latin1').slice(9, 12)
  if (code === '200') onTestFinished(() => void socket.destroy())
  else socket.destroy()
  return code
}

test('10,001 watches by six users', { timeout: 300_000 }, async () => {
  const up = await startUp(newData())
  const users = [await tenantOf(up), await tenantOf(up), await tenantOf(up)]
  users.push(await tenantOf(up), await tenantOf(up), await tenantOf(up))
  await slowestMs(up)
  const before = residentBytes(up.pid)
  const codes: string[] = []
  for (let at = 0; at < 10_000; at += 50) {
    const some = Array.from({ length: 50 }, (_, one) => users[(at + one) % users.length])
    codes.push(...(await Promise.all(some.map((user) => (user ? watchCode(user) : '')))))
  }
  const served = codes.filter((code) => code === '200').length
  const [last = ''] = [await watchCode(users[0] ?? (await tenantOf(up)))]
  await figure(up, `10,001 watches: ${served} served, the last answered ${last}`, before)
  expect([last, new Set(codes)]).toEqual(['429', new Set(['200', '429'])])
  // 4,000 in all, with those of the controller.
  expect(served).toBeGreaterThan(3_900)
  expect(served).toBeLessThan(4_000)
  await end(up)
})

const containers = Array.from({ length: 20_000 }, (_, at) => ({ name: `c${at}`, image: 'x' }))
const apply = 'application/apply-patch+yaml'

test('an object with 100,000 bad keys, and 20,000 containers by server-side apply', async () => {
  const up = await startUp(newData())
  const objects = verbs(up.api, core('configmaps', 'default'))
  const before = residentBytes(up.pid)
  const bad = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`${at} /`, '']))
  const refused = await refusal(objects.create(configMap('bad', bad)))
  expect(refused.code).toBe(422)
  expect(JSON.stringify(refused.status).length).toBeLessThan(100_000)
  await figure(up, '100,000 bad keys', before)
  const pods = verbs(up.api, core('pods', 'default'))
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } }
  for (const fieldManager of ['a', 'b']) {
    const began = performance.now()
    const query = { fieldManager, force: 'true' }
    await pods.patch('p', { type: apply, body, query }).catch(() => undefined)
    const seconds = (performance.now() - began) / 1000
    await figure(up, `20,000 containers by ${fieldManager} in ${seconds.toFixed(1)} s`, before)
  }
  await end(up)
})
