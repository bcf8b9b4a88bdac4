import { expect, onTestFinished, test } from 'vitest'
import { newClock } from '../../../../test/build/manualClock.ts'
import { apiTo, rawServer, sendJson } from '../../../../test/build/rawServer.ts'
import { NodeReport } from './nodeReport.ts'

type Routes = ReturnType<ConstructorParameters<typeof NodeReport>[0]['routes']>

/** Counts what it is sent, as only a server of the test can. */
async function stand(there: object | undefined) {
  const server = await rawServer(({ method }, response) => {
    if (method === 'GET' && there === undefined) sendJson(response, { code: 404 }, 404)
    else sendJson(response, there ?? {})
  })
  const manual = newClock()
  let slept = 0
  const sleep = (ms: number) => {
    slept++
    return manual.sleep(ms)
  }
  const clock = { ...manual, sleep }
  const known: { routes: Routes } = { routes: undefined }
  const report = new NodeReport({
    ...{ api: apiTo(server), node: 'a', clock, random: () => 0.5, log: () => undefined },
    ...{ nodeUid: () => 'u', links: () => [], problems: async () => [] },
    routes: () => known.routes,
  })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  void report.run(stop.signal)
  const writes = () => server.asked.flatMap(({ method }) => (method === 'GET' ? [] : [method]))
  const rounds = async (routes: Routes) => {
    known.routes = routes
    for (let round = 0; round < 5; round++) {
      const before = slept
      manual.advance(2_000)
      // It sleeps again once the round is over.
      await expect.poll(() => slept).toBeGreaterThan(before)
    }
  }
  return { writes, rounds }
}

const route = { destination: '192.0.2.0/24', via: '203.0.113.1', interface: 'eth1' } as never

test('[R6.14] routes that nobody asks for cost no write', async () => {
  const { writes, rounds } = await stand(undefined)
  await expect.poll(writes).toEqual(['POST'])
  await rounds('none asked')
  expect(writes()).toEqual(['POST'])
})

test('[R6.14] routes are written when they are asked for, and removed when they are not', async () => {
  const { writes, rounds } = await stand(undefined)
  await expect.poll(writes).toEqual(['POST'])
  await rounds([route])
  expect(writes()).toEqual(['POST', 'PATCH'])
  await rounds('none asked')
  expect(writes()).toEqual(['POST', 'PATCH', 'PATCH'])
})

test('[R6.14] those of an earlier speaker stay until the Site is known', async () => {
  const { writes, rounds } = await stand({ spec: { routes: [route] } })
  await expect.poll(writes).toEqual(['PATCH'])
  await rounds(undefined)
  expect(writes()).toEqual(['PATCH'])
  await rounds('none asked')
  expect(writes()).toEqual(['PATCH', 'PATCH'])
})
