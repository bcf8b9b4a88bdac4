// What is no request, or too much of one, against the program itself: it goes on, and stays small.
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { configMap, core, refusal, verbs } from '../kube/cluster.ts'
import { seeded } from '../kube/seeded.ts'
import { newData, residentBytes, startUp, type Up } from './berth.ts'
import { answerTo, asking, portOf, secureSocket } from './sockets.ts'

const megabyte = 1024 * 1024
const maps = '/api/v1/namespaces/default/configmaps'
const json = 'Content-Type: application/json\r\n'

/** It is as it was: answers, keeps, and has not grown. */
async function goesOn(up: Up, before: number): Promise<void> {
  const objects = verbs(up.api, core('configmaps', 'default'))
  await objects.create(configMap('still-here'))
  await objects.remove('still-here')
  expect(residentBytes(up.pid) - before).toBeLessThan(200 * megabyte)
  expect(up.program.log()).not.toMatch(/"level":"error"/)
  await up.stop('SIGTERM')
  expect(up.program.status()).toBe(0)
}

test('bodies of 100 MB, with and without a length', async () => {
  const up = await startUp(newData())
  const before = residentBytes(up.pid)
  const length = `Content-Length: ${100 * megabyte}\r\n`
  const tooLarge = 'Request entity too large: limit is 3145728'
  const ways = [length, 'Transfer-Encoding: chunked\r\n']
  const all = Array.from({ length: 10 }, () => ways).flat()
  const answers = await Promise.all(all.map((headers) => pour(up, `${json}${headers}`)))
  for (const answer of answers) expect(answer).toContain(tooLarge)
  await goesOn(up, before)
})

/** 100 MB, or as much as it is let. */
async function pour(up: Up, headers: string): Promise<string> {
  const socket = await secureSocket(up)
  let answer: string | undefined
  const answered = answerTo(socket, asking(maps, 'POST', headers)).then((text) => {
    answer = text
  })
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
  for (let sent = 0; sent < 1_600 && answer === undefined && socket.writable; sent++) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), answered])
  }
  await answered
  return answer ?? ''
}

test('JSON that is deep, wide, or none', async () => {
  const up = await startUp(newData())
  const before = residentBytes(up.pid)
  const objects = verbs(up.api, core('configmaps', 'default'))
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const bodies = [
    deep(400_000),
    '['.repeat(1_000_000),
    `{"metadata":{"name":"wide","labels":{${labels(60_000)}}}}`,
    `{"metadata":{"name":"x"},"data":{"a":${'9'.repeat(1_000_000)}}}`,
    '\u0000\u0001\u0002',
  ]
  for (const body of bodies) {
    const text = asking(maps, 'POST', lengthOf(body, 'application/json'))
    expect(await answerTo(await secureSocket(up), text + body)).toMatch(/^HTTP\/1\.1 4\d\d /)
  }
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (const [at, name] of [...'bcdefghi'].entries()) {
    bomb.push(`${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(', ')}]`)
  }
  const yaml = asking(maps, 'POST', lengthOf(bomb.join('\n'), 'application/yaml'))
  expect(await answerTo(await secureSocket(up), yaml + bomb.join('\n'))).toMatch(/^HTTP\/1\.1 4/)
  const patch = {
    type: 'application/json-patch+json',
    body: [{ op: 'test', path: '/a'.repeat(9e4) }],
  }
  expect((await refusal(objects.patch('kube-root-ca.crt', patch))).code).toBeGreaterThanOrEqual(400)
  await goesOn(up, before)
})

const lengthOf = (body: string, type: string): string =>
  `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n`

const labels = (count: number): string =>
  Array.from({ length: count }, (_, at) => `"l${at}":"${'v'.repeat(64)}"`).join(',')

test('bytes that are no TLS, or stop in the middle of it', async () => {
  const up = await startUp(newData())
  const before = residentBytes(up.pid)
  const random = seeded(7)
  const hello = Buffer.from('16030100c8010000c40303', 'hex')
  for (let at = 0; at < 300; at++) {
    const noise = Buffer.from(Array.from({ length: at }, () => Math.floor(random() * 256)))
    const socket = connectTcp(portOf(up), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(at % 2 === 0 ? noise : Buffer.concat([hello, noise]))
    // A third of them stay, and say no more.
    if (at % 3 !== 0) socket.end()
    onTestFinished(() => {
      socket.destroy()
    })
  }
  const old = secureSocket(up, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })
  await expect(old).rejects.toThrow()
  await sleep(200)
  await goesOn(up, before)
})

test('requests hidden behind others are not taken for any', async () => {
  const up = await startUp(newData())
  const before = residentBytes(up.pid)
  const victims = verbs(up.api, core('configmaps', 'default'))
  await victims.create(configMap('victim'))
  const hidden = asking(`${maps}/victim`, 'DELETE')
  for (const [headers, body] of smuggled) {
    const text = `${asking(maps, 'POST', `${json}${headers}`)}${body}${hidden}`
    const answer = await answerTo(await secureSocket(up), text)
    expect(answer, headers).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer.match(/HTTP\/1\.1 /g), headers).toHaveLength(1)
  }
  await victims.get('victim')
  await goesOn(up, before)
})

const smuggled = [
  ['Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  ['Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', '0\r\n\r\n'],
  ['Content-Length: 4\r\nContent-Length: 40\r\n', '{}  '],
  ['Content-Length: +4\r\n', '{}  '],
  ['Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
  ['Transfer-Encoding : chunked\r\n', '0\r\n\r\n'],
  ['Transfer-Encoding: chunked\r\n', '1\n{\n0\n\n'],
] as const
