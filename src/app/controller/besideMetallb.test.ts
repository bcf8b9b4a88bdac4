// Proves when a MetalLB controller counts as gone: not because we may not look for a moment (P1).
import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { apiTo, rawServer, sendJson } from '../../../test/build/rawServer.ts'
import { besideMetallb } from './besideMetallb.ts'

const metallb = {
  metadata: { name: 'controller', labels: { app: 'metallb' }, resourceVersion: '2' },
  spec: { replicas: 1 },
}
const listOf = (items: readonly object[]) => ({
  apiVersion: 'apps/v1',
  kind: 'DeploymentList',
  metadata: { resourceVersion: '1' },
  items,
})

/** What the server answers to each request in turn; one more than these stays open. */
type Answer = number | { readonly list: readonly object[] } | 'ends'
const none: Answer = { list: [] }
const one: Answer = { list: [metallb] }

function give(response: ServerResponse, answer: Answer | undefined): void {
  if (typeof answer === 'number') sendJson(response, { kind: 'Status' }, answer)
  else if (typeof answer === 'object') sendJson(response, listOf(answer.list))
  else {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    if (answer === 'ends') response.end()
    else response.flushHeaders()
  }
}

const own = '/apis/apps/v1/namespaces/metallb-system/deployments'

type Elsewhere = { readonly elsewhere?: Answer; readonly mayTakeOver?: () => boolean }

/** In its own namespace it answers in turn, elsewhere there is none unless it is said. */
async function beside(answers: readonly Answer[], given: Elsewhere = {}) {
  const { elsewhere = none, mayTakeOver = () => true } = given
  let [asked, others] = [0, 0]
  const server = await rawServer(({ path, query }, response) => {
    if (path === own) give(response, answers[asked++])
    else if (query.has('watch')) give(response, undefined)
    else {
      others++
      give(response, elsewhere)
    }
  })
  const api = apiTo(server)
  const stop = new AbortController()
  const log: Readonly<Record<string, unknown>>[] = []
  const parts = {
    api,
    clock: { nowMs: () => 0, sleep: async () => undefined },
    random: () => 1,
    log: (entry: Readonly<Record<string, unknown>>) => log.push(entry),
    changed: () => undefined,
  }
  const settings = { ownNamespace: 'metallb-system', loadBalancerClass: '' }
  const known = besideMetallb(parts, settings, mayTakeOver)
  expect(known.isAlone).toBe(false)
  const ended = known.run(stop.signal)
  await vi.waitFor(() => {
    const watches = server.asked.filter(({ path, query }) => path !== own && query.has('watch'))
    expect([asked, others + watches.length >= 4]).toEqual([answers.length + 1, true])
  })
  onTestFinished(async () => {
    stop.abort()
    api.close()
    await ended
  })
  const refusals = log.filter(({ message }) => String(message).includes('is not known'))
  const selectors = server.asked.flatMap(({ query }) => query.getAll('labelSelector'))
  return { known, log, isAlone: known.isAlone, waitsFor: known.waitsFor, refusals, selectors }
}

test.each<{ what: string; answers: readonly Answer[]; isAlone: boolean; said: string[] }>([
  { what: 'nothing but faults', answers: [500, 503], isAlone: false, said: [] },
  { what: 'refused from the start', answers: [403, 403, 403], isAlone: true, said: ['warn'] },
  { what: 'not served', answers: [404, 404], isAlone: true, said: ['info'] },
  { what: 'listed, and none there', answers: [none], isAlone: true, said: [] },
  { what: 'listed at last', answers: [403, one], isAlone: false, said: ['warn'] },
  {
    what: 'listed, then refused',
    answers: [one, 'ends', 403, 403, 403],
    isAlone: false,
    said: ['warn'],
  },
  {
    what: 'listed, then not served',
    answers: [one, 404, 404],
    isAlone: false,
    said: ['warn'],
  },
  {
    what: 'refused twice, with a list between',
    answers: [one, 404, one, 403, 403],
    isAlone: false,
    said: ['warn', 'warn'],
  },
  { what: 'gone in a later list', answers: [one, 410, none], isAlone: true, said: [] },
])('[P1] $what: alone is $isAlone', async ({ answers, isAlone, said }) => {
  const { isAlone: found, refusals } = await beside(answers)
  expect([found, refusals.map(({ level }) => level)]).toEqual([isAlone, said])
})

const inNamespace = (namespace: string): object => ({
  ...metallb,
  metadata: { ...metallb.metadata, namespace },
})
const there = inNamespace('lb')

test('[P1] one in another namespace is waited for as well, and it is said where Berth belongs', async () => {
  const { isAlone, waitsFor, selectors } = await beside([none], { elsewhere: { list: [there] } })
  expect(isAlone).toBe(false)
  expect(new Set(selectors)).toEqual(
    new Set([
      'app=metallb,component=controller',
      'app.kubernetes.io/name=metallb,app.kubernetes.io/component=controller',
    ]),
  )
  expect(waitsFor).toBe(
    'MetalLB (Deployment lb/controller) serves Services without a class: nothing is written ' +
      'until it stops. Install Berth where MetalLB is, not in metallb-system',
  )
})

test('[P1] where only its own namespace may be read, one elsewhere is not waited for', async () => {
  const { isAlone, refusals } = await beside([none], { elsewhere: 403 })
  expect(isAlone).toBe(true)
  expect(refusals[0]?.['message']).toContain('runs in another namespace is not known')
})

test('[P1] beside one of its own namespace, another one is no reason to install Berth there', async () => {
  const own = { list: [inNamespace('metallb-system')] }
  const { waitsFor } = await beside([own], { elsewhere: { list: [there] } })
  expect(waitsFor).toContain('Deployment lb/controller, Deployment metallb-system/controller')
  expect(waitsFor).not.toContain('Install Berth')
})

test('[P2] once what was shown is taken over, one in another namespace stops nothing', async () => {
  let mayTakeOver = false
  const { known, log, isAlone, waitsFor } = await beside([none], {
    elsewhere: { list: [there] },
    mayTakeOver: () => mayTakeOver,
  })
  expect([isAlone, waitsFor, log]).toEqual([true, undefined, []])
  // As after a way back to MetalLB.
  mayTakeOver = true
  known.look()
  expect([known.isAlone, log.length]).toEqual([false, 1])
})
