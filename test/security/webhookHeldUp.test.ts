// A request holds up the controller. The attacker can reach the webhook's port, and has no credentials.
// Afterwards: the API server's questions are answered, and the event loop was never held up for longer
// than one review takes, so that the Lease is renewed.
// Before: one question took 16.5 s, longer than the Lease lasts, and 300 connections shut everybody out.
import { once } from 'node:events'
import { request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { reviewAdmission } from '../../src/app/controller/webhookReview.ts'
import type { JsonObject } from '../../src/core/model/gate.ts'
import { World } from '../../src/core/model/world.ts'
import { newCertificate } from '../../src/edge/host/certificate.ts'
import { type Reply, startTlsServer } from '../../src/edge/host/tlsServer.ts'

const hourMs = 3_600_000
const span = { from: new Date(Date.now() - hourMs), until: new Date(Date.now() + hourMs) }
const certificate = await newCertificate({ names: ['127.0.0.1'], ...span })
const { ca } = certificate

async function served(route: (json: unknown) => Reply): Promise<number> {
  const server = await startTlsServer({
    ...{ port: 0, host: '0.0.0.0', maxBytes: 3_000_000, closeMs: 100 },
    routes: new Map([['/echo', (body: Buffer) => route(JSON.parse(body.toString()))]]),
    failed: () => undefined,
  })
  server.present(certificate)
  onTestFinished(() => server.close())
  return server.port
}
const echo = (json: unknown): Reply => ({ status: 200, json })

function ask(port: number, json: unknown): Promise<number> {
  return new Promise((resolve, reject) => {
    const at = { host: '127.0.0.1', port, path: '/echo', method: 'POST', ca, agent: false } as const
    const asking = request(at, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    asking.on('error', reject).end(JSON.stringify(json))
  })
}

/** From as many addresses of loopback, which are sources of their own. */
const sources = (count: number) => Array.from({ length: count }, (_, at) => `127.0.0.${at + 2}`)

async function opened(port: number, localAddress: string, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined),
  )
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)))
  return sockets
}

test('300 idle connections keep nobody out', async () => {
  const port = await served(echo)
  await opened(port, '127.0.0.2', 300)
  expect(await ask(port, 1)).toBe(200)
})

test('nor do idle ones from many sources', async () => {
  const port = await served(echo)
  for (const source of sources(8)) await opened(port, source, 64)
  expect(await ask(port, 1)).toBe(200)
})

test('nor do questions that are never finished', async () => {
  const port = await served(echo)
  for (const source of sources(5)) {
    const sockets = await opened(port, source, 64)
    for (const socket of sockets) {
      const secure = connectTls({ socket, ca, host: '127.0.0.1' }).on('error', () => undefined)
      secure.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n')
    }
  }
  expect(await ask(port, 1)).toBe(200)
})

test('timers run between any two questions, however many wait', async () => {
  const seen: string[] = []
  const timer = setInterval(() => seen.push('timer'), 1)
  onTestFinished(() => clearInterval(timer))
  const port = await served((json) => {
    const until = performance.now() + 5
    while (performance.now() < until);
    seen.push('question')
    return { status: 200, json }
  })
  await Promise.all(Array.from({ length: 40 }, () => ask(port, 1)))
  expect(seen.filter((one) => one === 'question')).toHaveLength(40)
  expect(seen.join(' ')).not.toContain('question question')
})

const kinds = new Set(['metallb.io/IPAddressPool'])
const notAsked = () => {
  throw new Error('it was validated')
}
const gate = {
  admit: notAsked,
  held: notAsked,
  admitDelete: notAsked,
  foresee: notAsked,
  view: notAsked,
  place: notAsked,
}
const world = () => new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
const spec = { addresses: ['10.0.0.0/24'], padding: 'x'.repeat(256 * 1024) }

test.each([
  ['a new one is refused', 'CREATE', { spec }, undefined, false],
  ['a change is refused', 'UPDATE', { spec }, { spec: {} }, false],
  ['one that says the same passes', 'UPDATE', { spec }, { spec }, true],
  [
    'one that goes may let go of its finalizers',
    'UPDATE',
    { spec, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
    { spec: {} },
    true,
  ],
  ['one is deleted', 'DELETE', undefined, { spec }, true],
])('of objects that are too large to validate, %s', (_, operation, object, oldObject, allowed) => {
  const kind = { group: 'metallb.io', kind: 'IPAddressPool' }
  const json = {
    ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    request: { uid: 'u', kind, operation, object, oldObject },
  }
  const body = Buffer.from(JSON.stringify(json))
  const answer = reviewAdmission(body, kinds, { gate, world, lastKnown: world })
  expect(answer).toMatchObject({ response: { allowed } })
})

const head = '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u",'
const about = '"kind":{"group":"metallb.io","kind":"IPAddressPool"},"operation":"UPDATE",'
const answerTo = (text: string, reviewer = { gate, world, lastKnown: world }) =>
  reviewAdmission(Buffer.from(text), kinds, reviewer)

test('what is too large is not even parsed', () => {
  const broken = `{"spec":[${'01 '.repeat(100_000)}]}`
  const text = `${head}${about}"object":${broken},"oldObject":{"spec":1}}}`
  expect(answerTo(text)).toMatchObject({ response: { allowed: false } })
})

test('nor is what a review does not contain', () => {
  for (const member of ['"userInfo"', '"options"', '"none"']) {
    const text = `${head}${about}${member}:[${'1,'.repeat(1_400_000)}1]}}`
    expect(answerTo(text)).toBeUndefined()
  }
})

test('one that was too large may become smaller, and is then validated for itself', () => {
  const seen: unknown[] = []
  const admit = (_: unknown, object: JsonObject, before: unknown) => {
    seen.push(object['spec'], before)
    return { ok: true as const, json: object, view: undefined, warnings: [] }
  }
  const text = `${head}${about}"object":{"spec":1},"oldObject":${JSON.stringify({ spec })}}}`
  const asked = { gate: { ...gate, admit }, world, lastKnown: world }
  expect(answerTo(text, asked as never)).toMatchObject({ response: { allowed: true } })
  expect(seen).toEqual([1, undefined])
})
