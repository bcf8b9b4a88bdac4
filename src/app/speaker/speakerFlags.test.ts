// Proves what flags and environment variables mean, and which of them are refused.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../../../test/build/newFolder.ts'
import { excludedInterfaces } from './layer2/excludedInterfaces.ts'
import { ownEndpoint } from './membership/ownEndpoint.ts'
import { type Values, wantedOf } from './speakerFlags.ts'

const terminal = (env: Record<string, string> = {}) => ({
  err: () => undefined,
  signal: new AbortController().signal,
  env,
  home: '',
})
const read = (values: Values, env?: Record<string, string>) =>
  wantedOf({ 'node-name': 'a', ...values }, terminal(env))

test("[M7.3] defaults are MetalLB's", async () => {
  expect(await read({})).toMatchObject({
    node: 'a',
    settings: { ownNamespace: 'metallb-system', loadBalancerClass: '' },
    pod: undefined,
    members: { by: 'pods', port: 7956, bind: undefined, timing: {} },
    refreshMs: undefined,
    shouldAnnounceAnyway: false,
    shouldIgnoreExcludeLabel: false,
    bgp: { by: 'berth', style: 'frr', listenPort: undefined },
    drainMs: 5_000,
    ports: { metrics: 9130, probes: 17473 },
  })
})

test("[M7.3] the environment of MetalLB's manifests is accepted", async () => {
  const env = {
    METALLB_NODE_NAME: 'b',
    METALLB_NAMESPACE: 'lb',
    METALLB_ML_BIND_ADDR: '10.0.0.2',
    METALLB_POD_NAME: 'speaker-x',
    BERTH_POD_UID: 'uid',
    BERTH_MEMBERS_KEY_FILE: '/key',
    METALLB_BGP_TYPE: 'native',
  }
  expect(await wantedOf({}, terminal(env))).toMatchObject({
    node: 'b',
    settings: { ownNamespace: 'lb' },
    pod: { name: 'speaker-x', uid: 'uid' },
    members: { bind: '10.0.0.2', keyFile: '/key' },
    bgp: { by: 'berth', style: 'native', listenPort: undefined },
  })
})

test('[R8.19] [R8.20] who has the BGP sessions, and whether routers may connect', async () => {
  const of = async (values: Readonly<Record<string, string>>, env = {}) =>
    (await wantedOf({ 'node-name': 'a', ...values }, terminal(env))).bgp
  expect(await of({ 'bgp-listen': '179' })).toMatchObject({ by: 'berth', listenPort: 179 })
  expect(await of({ 'bgp-backend': 'frr-k8s' }, { FRRK8S_NAMESPACE: 'frr' })).toEqual({
    ...{ by: 'frr-k8s', namespace: 'frr', debounceMs: 1000 },
  })
  const env = { FRR_CONFIG_FILE: '/x/frr.conf', FRR_LOGGING_LEVEL: 'debugging' }
  expect(await of({ 'bgp-backend': 'frr', 'bgp-debounce-timeout': '50' }, env)).toEqual({
    ...{ by: 'frr', logLevel: 'debugging', debounceMs: 50 },
    files: { config: '/x/frr.conf', pid: '/etc/frr_reloader/reloader.pid' },
  })
  await expect(of({ 'bgp-backend': 'native' })).rejects.toThrow('berth, frr or frr-k8s')
  await expect(of({ 'bgp-backend': 'frr', 'bgp-listen': '179' })).rejects.toThrow('--bgp-listen')
  await expect(of({ 'bgp-backend': 'frr' }, { FRR_LOGGING_LEVEL: 'loud' })).rejects.toThrow('loud')
})

test('flags set everything else', async () => {
  const values = {
    members: 'a=10.0.0.1,10.0.0.2:7000',
    'members-beat': '10',
    'members-timeout': '85',
    'announce-refresh': '60',
    'drain-wait': '0',
    'announce-anyway': true,
    port: '0',
  }
  expect(await read(values)).toMatchObject({
    members: {
      by: [
        { node: 'a', host: '10.0.0.1', port: 7956 },
        { node: undefined, host: '10.0.0.2', port: 7000 },
      ],
      timing: { beatMs: 10, timeoutMs: 85 },
    },
    refreshMs: 60_000,
    drainMs: 0,
    shouldAnnounceAnyway: true,
    ports: { metrics: undefined },
  })
})

test.each<[string, Values]>([
  ['set --node-name NODE or METALLB_NODE_NAME', { 'node-name': '' }],
  ['--members must be pods, nodes or a list', { members: 'a=b=c' }],
  ['--members-port must be a number from 0 to 65535', { 'members-port': '70000' }],
  ['times --members-beat: 1600 or more, got 340', { 'members-beat': '400' }],
  ['times --members-beat: 160 or more, got 159', { 'members-timeout': '159' }],
  ['times --members-beat: 40 or more, got 39', { 'members-beat': '10', 'members-timeout': '39' }],
  ['--announce-refresh must be a number', { 'announce-refresh': 'often' }],
  ['no such file', { 'excluded-interfaces': '/does/not/exist' }],
])('%s', async (why, values) => {
  await expect(read(values)).rejects.toThrow(why)
})

describe('[M5.4] interfaces that never announce', () => {
  const fileWith = (text: string): string => {
    const file = join(newFolder(), 'excludel2.yaml')
    writeFileSync(file, text)
    return file
  }

  test.each([
    { name: 'lo', isExcluded: true },
    { name: 'veth12ab', isExcluded: true },
    { name: 'cali1', isExcluded: true },
    { name: 'kube-ipvs0', isExcluded: true },
    { name: 'eth0', isExcluded: false },
    { name: 'lo0', isExcluded: false },
    { name: 'bond0.100', isExcluded: false },
  ])('$name: $isExcluded', async ({ name, isExcluded }) => {
    expect((await excludedInterfaces(undefined)).test(name)).toBe(isExcluded)
  })

  test.each([
    { list: '["^eth1$", "wlan"]', excluded: ['eth1', 'mywlan0'] },
    { list: '[]', excluded: [] },
  ])('read from the file: $list', async ({ list, excluded }) => {
    const pattern = await excludedInterfaces(fileWith(`announcedInterfacesToExclude: ${list}\n`))
    const names = ['eth0', 'eth1', 'mywlan0', 'lo']
    expect(names.filter((name) => pattern.test(name))).toEqual(excluded)
  })

  test('an invalid regular expression is refused', async () => {
    const file = fileWith('announcedInterfacesToExclude: ["("]\n')
    await expect(excludedInterfaces(file)).rejects.toThrow('not a valid regular expression')
  })
})

describe('where other speakers reach this one', () => {
  const list = [{ node: 'a', host: '10.0.0.1', port: 7000 }]

  test.each([
    {
      of: 'a bind address',
      options: { bind: '10.0.0.9', list: [] },
      at: ['10.0.0.9', 7956],
      on: ['10.0.0.9', 7956],
    },
    {
      of: 'its own entry of the list',
      options: { bind: undefined, list },
      at: ['10.0.0.1', 7000],
      on: ['0.0.0.0', 7000],
    },
    {
      of: 'IPv6',
      options: { bind: '2001:db8::1', list: [] },
      at: ['2001:db8::1', 7956],
      on: ['2001:db8::1', 7956],
    },
  ])('$of', ({ options, at, on }) => {
    const { endpoint, bind } = ownEndpoint({ node: 'a', port: 7956, ...options })
    expect([endpoint.address, endpoint.port]).toEqual(at)
    expect(bind.map(({ address, port }) => [address, port])).toEqual([on])
  })

  test('a bind value that is not an address is refused', () => {
    const options = { node: 'a', port: 7956, bind: 'eth0', list: [] }
    expect(() => ownEndpoint(options)).toThrow('"eth0" is not an address to listen on')
  })
})
