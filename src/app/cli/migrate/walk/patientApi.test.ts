// Proves when the walk waits for the API server, and that it says so once.
import { expect, test } from 'vitest'
import { apiTo, rawServer, sendJson } from '../../../../../test/build/rawServer.ts'
import { nowhere } from '../../../../../test/build/terminal.ts'
import { patientApi } from './patientApi.ts'

const request = { method: 'GET', path: '/api/v1/nodes' } as const

/** A server that answers with these codes in turn, then 200. */
async function patient(codes: readonly number[]) {
  const server = await rawServer((_, response, count) =>
    sendJson(response, {}, codes[count] ?? 200),
  )
  const said: string[] = []
  const io = { ...nowhere, err: (text: string) => void said.push(text) }
  return { api: patientApi(apiTo(server), { io, withinMs: 60_000 }), server, said }
}

test('a server that never answered is not waited for: its address may be wrong', async () => {
  const { api, server, said } = await patient([503])
  await expect(api.call(request)).rejects.toThrow('503')
  expect([server.asked.length, said]).toEqual([1, []])
})

test('each absence is said once, however many requests wait', async () => {
  const away = Array<number>(7).fill(503)
  const { api, said } = await patient([200, ...away])
  await api.call(request)
  await Promise.all([api.call(request), api.call(request)])
  expect(said).toEqual([expect.stringContaining('waiting for the API server')])
}, 20_000)
