import { expect, test } from 'vitest'
import { berth, folderOf } from '../../../test/build/terminal.ts'

const scenario = (name: string, expected: string): string => `---
apiVersion: berth.dev/v1alpha1
kind: Scenario
metadata: {name: ${name}}
spec:
  given:
  - apiVersion: metallb.io/v1beta1
    kind: IPAddressPool
    metadata: {name: lan, namespace: metallb-system}
    spec: {addresses: [10.0.0.1-10.0.0.2]}
  steps:
  - name: first
    apply:
    - apiVersion: v1
      kind: Service
      metadata: {name: web, namespace: default}
      spec: {type: LoadBalancer, ports: [{port: 80}]}
    expect: ${expected}
`
const right = '{services: {default/web: {addresses: [10.0.0.1]}}}'
const wrong = '{services: {default/web: {addresses: [10.0.0.9]}}}'

test('all hold: exit 0', async () => {
  const { exit, out } = await berth(['test', folderOf({ 'a.yaml': scenario('holds', right) })])
  expect([exit, out]).toEqual([0, '1 passed, 0 failed\n'])
})

test('one does not: what was expected and what was, exit 1', async () => {
  const folder = folderOf({ 'a.yaml': scenario('holds', right) + scenario('fails', wrong) })
  const { exit, out } = await berth(['test', folder])
  expect(out).toMatch(/^FAILED fails \(.*a\.yaml\)\n {2}first: services\.default\/web\.addresses\n/)
  expect(out).toContain('expected ["10.0.0.9"]\n    but was  ["10.0.0.1"]')
  expect(out).toContain('1 passed, 1 failed')
  expect(exit).toBe(1)
})

test.each([
  [
    'an unknown key',
    '{service: {}}',
    /a\.yaml:18: unknown field "spec\.steps\[0\]\.expect\.service"/,
  ],
  ['a wrong type', '{absent: 3}', /a\.yaml:18: spec\.steps\[0\]\.expect\.absent: Invalid value/],
])('%s is malformed: exit 2 with the line, the others run', async (_, expected, told) => {
  const folder = folderOf({
    'a.yaml': scenario('malformed', expected),
    'b.yaml': scenario('fails', wrong),
  })
  const { exit, out, err } = await berth(['test', folder])
  expect(err).toMatch(told)
  expect(out).toContain('0 passed, 1 failed')
  expect(exit).toBe(2)
})

test('a refused manifest fails the scenario unless it is expected', async () => {
  const bad = scenario('refused', '{}').replace('port: 80', 'port: 99999')
  const { exit, out } = await berth(['test', '-'], bad)
  expect(out).toContain('expected false\n    but was  "Service/default/web: spec.ports[0].port')
  expect(exit).toBe(1)
})

test('--filter leaves the others out', async () => {
  const both = scenario('one', right) + scenario('two', wrong)
  const { exit, out } = await berth(['test', '-', '--filter', '^one$'], both)
  expect([exit, out]).toEqual([0, '1 passed, 0 failed, 1 skipped\n'])
})

test('-o json is the report of FORMAT.md', async () => {
  const { out } = await berth(['test', '-', '-o', 'json'], scenario('fails', wrong))
  expect(JSON.parse(out)).toEqual({
    schema: 'berth.dev/test/v1',
    passed: 0,
    failed: 1,
    skipped: 0,
    scenarios: [
      {
        file: '-',
        name: 'fails',
        status: 'failed',
        failures: [
          {
            step: 'first',
            path: 'services.default/web.addresses',
            expected: ['10.0.0.9'],
            actual: ['10.0.0.1'],
          },
        ],
      },
    ],
  })
})

test('-o junit is XML with everything escaped', async () => {
  const odd = scenario('fails', wrong).replace('name: first', 'name: "<a> & b"')
  const { out } = await berth(['test', '-', '-o', 'junit'], odd)
  expect(out).toContain('<testsuite name="berth" tests="1" failures="1" skipped="0">')
  expect(out).toContain('message="&lt;a&gt; &amp; b: services.default/web.addresses"')
  expect(out).toContain('[&quot;10.0.0.9&quot;]')
})

const withPeer = (expected: string): string =>
  scenario('sessions', expected).replace(
    '  given:\n',
    `  given:
  - {apiVersion: v1, kind: Node, metadata: {name: node-a}}
  - {apiVersion: v1, kind: Node, metadata: {name: node-b}}
  - apiVersion: metallb.io/v1beta2
    kind: BGPPeer
    metadata: {name: tor, namespace: metallb-system}
    spec: {myASN: 64500, peerASN: 64501, peerAddress: 10.0.0.1}
`,
  )

test.each([
  ['a node too few', '{peer: tor, nodes: [node-a]}'],
  ['a node too many', '{peer: tor, nodes: [node-a, node-b, node-c]}'],
  ['another AS number', '{peer: tor, peerASN: 64502}'],
  ['another address', '{peer: tor, peerAddress: 10.0.0.2}'],
  ['none', '{peer: tor, none: true}'],
  ['a problem that is not there', '{peer: tor, problem: peer-value-missing}'],
  ['a peer that nobody applied', '{peer: tor-2}'],
])('sessions are not as expected: %s', async (_, entry) => {
  const { exit, out } = await berth(['test', '-'], withPeer(`{sessions: [${entry}]}`))
  expect(out).toMatch(/first: sessions\.tor(-2)?\n/)
  expect(exit).toBe(1)
})

test('sessions are shown as they are', async () => {
  const { out } = await berth(['test', '-'], withPeer('{sessions: [{peer: tor, none: true}]}'))
  const shown = { peerAddress: '10.0.0.1', peerASN: 64_501, myASN: 64_500 }
  const all = ['node-a', 'node-b'].map((node) => ({ node, ...shown }))
  expect(out).toContain(`but was  ${JSON.stringify(all)}`)
})

test('a session that is reset is not the same', async () => {
  const text = withPeer('{sessions: [{peer: tor, same: true}]}')
  expect((await berth(['test', '-'], text)).exit).toBe(0)
  const peer = `    - apiVersion: metallb.io/v1beta2
      kind: BGPPeer
      metadata: {name: tor, namespace: metallb-system}
      spec: {myASN: 64500, peerASN: 64501, peerAddress: 10.0.0.1, holdTime: 9s}
`
  const { exit, out } = await berth(
    ['test', '-'],
    text.replace('    apply:\n', `    apply:\n${peer}`),
  )
  expect([exit, out]).toEqual([1, expect.stringContaining('first: sessions.tor')])
})
