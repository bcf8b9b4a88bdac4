// Proves that a process that is killed is seen dead by the others, and by nobody before.
import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect, test, vi } from 'vitest'

const program = new URL('../../../../test/build/memberProcess.ts', import.meta.url).pathname
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function start(node: string, ...rest: readonly (string | number)[]) {
  const child = spawn(process.execPath, [program, node, ...rest.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  const shown: string[] = []
  createInterface(child.stdout).on('line', (line) => shown.push(JSON.parse(line).live?.join(' ')))
  return { child, shown, live: () => shown.at(-1) }
}

/** Nobody has them at this moment. */
async function freePorts(count: number): Promise<number[]> {
  const sockets = Array.from({ length: count }, () => createSocket('udp4').bind(0, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'listening')))
  const ports = sockets.map((socket) => socket.address().port)
  await Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.close(done))))
  return ports
}

const key = 'the key of all three'
const patience = { timeout: 20_000, interval: 20 }

test('a process that is killed is dead for the others, and back when it is started again', async () => {
  const [one = 0, two = 0, three = 0] = await freePorts(3)
  const a = start('a', one, key, two, three)
  const b = start('b', two, key, one, three)
  const c = start('c', three, key, one, two)
  const all = 'a b c'
  await vi.waitFor(
    () => expect([a, b, c].map((each) => each.live())).toEqual([all, all, all]),
    patience,
  )
  c.child.kill('SIGKILL')
  await vi.waitFor(() => expect([a.live(), b.live()]).toEqual(['a b', 'a b']), patience)
  const again = start('c', three, key, one, two)
  const seen = () => [a, b, again].map((each) => each.live())
  await vi.waitFor(() => expect(seen()).toEqual([all, all, all]), patience)
})

test('a process with another key is nobody', async () => {
  const [one = 0, two = 0, three = 0] = await freePorts(3)
  const a = start('a', one, key, two, three)
  const b = start('b', two, key, one, three)
  const stranger = start('c', three, 'another key than that', one, two)
  await vi.waitFor(() => expect([a.live(), b.live()]).toEqual(['a b', 'a b']), patience)
  await vi.waitFor(() => expect(stranger.live()).toBe('c'), patience)
  for (const { shown } of [a, b]) expect(shown.join(' ')).not.toContain('c')
})
