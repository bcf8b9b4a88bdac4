// An object that is wrong in a million places, or that is quoted for each of its mistakes. The
// attacker holds a token of the embedded API for a namespace. Afterwards: it is refused with the
// first hundred mistakes, in an answer of limited length.
// Before: one request of 600 KB ended the program, and one of 3 MB was answered with 129 MB.
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { yamlOrFault } from '../../src/edge/manifests/parseYaml.ts'
import { ApiStand } from '../build/apiStand.ts'
import { upStand } from './upStand.ts'

const many = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at))
const empty = (): object => ({})
const core = '/api/v1/namespaces/default'
const controller = (at: number) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: `${at}`, controller: true },
})
const template = (count: number) => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers: many(count, empty) },
})

const wrong: [what: string, path: string, object: object][] = [
  [
    '20,000 owners that are all the controller',
    `${core}/configmaps`,
    { metadata: { name: 'a', ownerReferences: many(20_000, controller) } },
  ],
  [
    '900,000 empty owners',
    `${core}/configmaps`,
    { metadata: { name: 'a', ownerReferences: many(900_000, empty) } },
  ],
  [
    '900,000 empty ports',
    `${core}/services`,
    { metadata: { name: 'a' }, spec: { ports: many(900_000, empty) } },
  ],
  [
    '900,000 empty containers',
    '/apis/apps/v1/namespaces/default/deployments',
    {
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: { a: 'b' } }, template: template(900_000) },
    },
  ],
]

test.each(wrong)('%s', async (_, path, body) => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const headers = { 'Content-Type': 'application/json' }
  const refused = await stand.ask(path, { method: 'POST', body, headers })
  expect(refused.code, refused.text.slice(0, 300)).toBe(422)
  expect(refused.text.length).toBeLessThan(500_000)
  expect((await stand.ask(`${core}/configmaps`)).code).toBe(200)
})

test('700,000 addresses that are none', async () => {
  const { ask } = await upStand()
  const pair = 'admin'
  const definition = yamlOrFault(readFileSync('deploy/crds/metallb.io_ipaddresspools.yaml', 'utf8'))
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await ask({ pair, method: 'POST', path: definitions, body: definition })
  const namespaces = '/api/v1/namespaces'
  await ask({ pair, method: 'POST', path: namespaces, body: { metadata: { name: 'lab' } } })
  const path = '/apis/metallb.io/v1beta1/namespaces/lab/ipaddresspools'
  const spec = { addresses: many(700_000, () => 'x') }
  const pool = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool', metadata: { name: 'a' } }
  const { code, json } = await ask({ pair, method: 'POST', path, body: { ...pool, spec } })
  expect(code).toBe(403)
  expect(JSON.stringify(json).length).toBeLessThan(100_000)
})
