// Does a commit end once the status shows the addresses, however they are written?
import { expect, test } from 'vitest'
import { apiTo, rawServer, sendJson } from '../../../../test/build/rawServer.ts'
import { nowhere } from '../../../../test/build/terminal.ts'
import { commitSite } from './siteMove.ts'

const site = (apiVIP: string) => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Site',
  metadata: { name: 'cluster', resourceVersion: '7' },
  spec: {
    external: { apiVIP, ingressVIP: '2001:db8::2' },
    move: { commitBy: '2026-01-01T00:00:00Z' },
  },
  status: { external: { apiVIPs: ['2001:db8::1'] }, move: { state: 'Settled' } },
})

test.each(['2001:db8::1', '2001:DB8::1', '2001:db8:0:0::0001'])(
  '[R6.10] a move to %s is committed without a wait',
  async (apiVIP) => {
    const server = await rawServer((_, response) => sendJson(response, site(apiVIP)))
    const out: string[] = []
    const io = { ...nowhere, out: (text: string) => void out.push(text) }
    expect(await commitSite(apiTo(server), io)).toBe(0)
    expect(out.join('')).toContain('committed: ')
    // One look at the status was enough.
    expect(server.asked.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET'])
  },
)

const waiting = (metadata: object, rolledBack = '') => {
  const { metadata: own, status, ...rest } = site('2001:db8::1')
  const move = rolledBack === '' ? { state: 'Settled' } : { state: 'RolledBack', rolledBack }
  return { ...rest, metadata: { ...own, generation: 2, ...metadata }, status: { ...status, move } }
}
const conflict = { kind: 'Status', reason: 'Conflict', message: 'it was changed', code: 409 }

test.each([
  ['its status was written meanwhile', waiting({ resourceVersion: '8' }), 2],
  ['somebody edited it', waiting({ resourceVersion: '8', generation: 3 }), 1],
  ['it was rolled back', waiting({ resourceVersion: '8' }, '2026-01-01T00:00:00Z'), 1],
])('[R6.10] a commit while %s', async (_, later, writes) => {
  const tried = () => server.asked.filter(({ method }) => method === 'PUT').length
  const server = await rawServer(({ method }, response) => {
    if (method === 'PUT' && tried() === 1) return sendJson(response, conflict, 409)
    sendJson(response, tried() === 0 ? waiting({}) : later)
  })
  const committing = commitSite(apiTo(server), nowhere)
  if (writes === 2) expect(await committing).toBe(0)
  else await expect(committing).rejects.toThrow('it was changed')
  expect(tried()).toBe(writes)
})
