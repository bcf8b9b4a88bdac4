// Proves that gaining the lead and what follows from it are two things: each fails as what it is.
import { expect, onTestFinished, test } from 'vitest'
import { apiTo, rawServer, type Script, sendJson } from '../../../test/build/rawServer.ts'
import { Leader } from './leader.ts'

async function leaderOn(script: Script, rounds = 1) {
  const api = apiTo(await rawServer(script))
  onTestFinished(() => api.close())
  const over = new AbortController()
  const told: string[] = []
  let left = rounds
  const leader = new Leader({
    api,
    namespace: 'metallb-system',
    name: 'berth-controller',
    identity: 'one',
    nowMs: () => 0,
    sleep: async () => {
      if (--left === 0) over.abort()
    },
    timestamp: () => '2026-01-01T00:00:00Z',
    failed: ({ message }) => told.push(message),
  })
  const run = (changed: () => void) => leader.run(over.signal, changed)
  return { leader, run, told }
}

/** Nobody has the Lease yet. */
const free: Script = ({ method }, response) => sendJson(response, {}, method === 'GET' ? 404 : 201)

test('what goes wrong once we lead is no fault of the Lease', async () => {
  const { leader, run, told } = await leaderOn(free)
  const bug = new Error('a decision that cannot be')
  const running = run(() => {
    throw bug
  })
  await expect(running).rejects.toBe(bug)
  expect(told).toEqual([])
  expect(leader.isLeading).toBe(true)
})

test('a Lease that cannot be written is one, and nothing follows', async () => {
  const { leader, run, told } = await leaderOn(({ method }, response) =>
    sendJson(response, {}, method === 'GET' ? 404 : 500),
  )
  let isChanged = false
  await run(() => {
    isChanged = true
  })
  expect(told).toEqual([expect.stringContaining('500')])
  expect([leader.isLeading, isChanged]).toEqual([false, false])
})

test('what fails every second is told once, and again after it went well', async () => {
  const answers = [500, 500, 500, 201, 500, 500]
  const { run, told } = await leaderOn(({ method }, response) => {
    sendJson(response, {}, method === 'GET' ? 404 : answers.shift())
  }, answers.length)
  await run(() => undefined)
  expect(told).toHaveLength(2)
})
