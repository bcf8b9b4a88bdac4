// A patch whose lists are compared, or merged, once for each of their items. The attacker holds a token
// of the embedded API for a namespace. Afterwards: it is refused in time that grows with its length.
// Before: a patch of 3 MB held up the event loop for more than an hour.
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

const many = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at))
const variable = (at: number) => ({ name: `e${at}`, value: '' })
const ports = '$setElementOrder/ports'

const patches: [what: string, plural: string, spec: object, patch: object][] = [
  [
    'ports without a port, beside the order of others',
    'services',
    { ports: [{ port: 1 }] },
    { [ports]: many(100_000, (port) => ({ port })), ports: many(100_000, () => ({ name: 'a' })) },
  ],
  [
    'one container 50,000 times, which has 15,000 variables',
    'pods',
    { containers: [{ name: 'c', image: 'x', env: many(15_000, variable) }] },
    { containers: many(50_000, (at) => ({ name: 'c', env: [variable(at)] })) },
  ],
  [
    'the same, to set their order',
    'pods',
    { containers: [{ name: 'c', image: 'x', env: many(15_000, variable) }] },
    { containers: many(50_000, () => ({ name: 'c', '$setElementOrder/env': [variable(7)] })) },
  ],
]

test.each(patches)('%s', async (_, plural, spec, patch) => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const path = `/api/v1/namespaces/default/${plural}`
  const body = { metadata: { name: 'a' }, spec }
  const json = { 'Content-Type': 'application/json' }
  expect((await stand.ask(path, { method: 'POST', body, headers: json })).code).toBe(201)
  const headers = { 'Content-Type': 'application/strategic-merge-patch+json' }
  const asked = { method: 'PATCH', body: { spec: patch }, headers }
  const refused = await stand.ask(`${path}/a`, asked)
  expect(refused.code).toBeGreaterThanOrEqual(400)
  expect(refused.text.length).toBeLessThan(1_000)
  expect(stand.failures).toEqual([])
})
