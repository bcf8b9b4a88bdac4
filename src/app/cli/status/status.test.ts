import { expect, test } from 'vitest'
import { folderOf, nowhere, pool, service } from '../../../../test/build/terminal.ts'
import { announcersFrom } from '../../../core/policy/status/announcers.ts'
import { type ClusterStatus, statusOf } from '../../../core/policy/status/clusterStatus.ts'
import { isHealthy } from '../../../core/policy/status/statusView.ts'
import { decodeLeader } from '../../../edge/kube/decode/decodeLeader.ts'
import { lintReport } from '../lint/lintReport.ts'
import { load, newSession } from '../load.ts'
import { type Shown, statusText } from './statusText.ts'
import { waitsSince } from './waitsSince.ts'

const nowMs = Date.parse('2026-01-01T00:10:00Z')

async function statusFrom(yaml: string): Promise<ClusterStatus> {
  const session = await newSession(nowhere)
  const loaded = await load(session, { files: [folderOf({ 'a.yaml': yaml })], kustomized: [] })
  const { cluster } = session
  return statusOf(cluster.world, cluster.speakers(), waitsSince(loaded))
}
const at = (time: string, ip = ''): string =>
  service('web').replace(
    'name: web',
    `name: web-${time}, creationTimestamp: "2026-01-01T00:0${time}:00Z"`,
  ) + (ip === '' ? '' : `status: {loadBalancer: {ingress: [{ip: ${ip}}]}}\n`)
const shown = (status: ClusterStatus, more: Partial<Shown> = {}, isColoured = false): string =>
  statusText(
    {
      version: '1.2.3',
      leader: 'nobody',
      announcers: [],
      bgp: [],
      attention: [],
      parts: [],
      namespace: 'lb',
      status,
      nowMs,
      lint: { conflicts: [], summary: { errors: 0, warnings: 0 } },
      ...more,
    },
    isColoured,
  )

test('what is served, what is free, and who waits, oldest first', async () => {
  const status = await statusFrom(
    pool('lan', '10.0.0.1/32') + at('3') + at('1') + at('2', '10.0.0.1'),
  )
  expect(status).toMatchObject({
    served: 1,
    waiting: [
      { service: 'default/web-1', reason: 'pool-full' },
      { service: 'default/web-3', reason: 'pool-full' },
    ],
    pools: [{ name: 'lan', IPv4: { used: 1n, free: 0n } }],
  })
  expect(shown(status)).toContain(`  ! default/web-1 waits for 9m
  ! default/web-3 waits for 7m
      pool-full: no address is left in lan
      remedy: add addresses to the pool, or delete a Service that holds one
`)
})

test('who waits is counted from when it was refused, not from when it was made', async () => {
  const refused = (status: string) =>
    `status: {conditions: [{type: berth.dev/Addressed, status: "${status}", ` +
    'reason: PoolFull, message: "", lastTransitionTime: "2026-01-01T00:08:00Z"}]}\n'
  const status = await statusFrom(at('1') + refused('False') + at('3') + at('5') + refused('True'))
  const waits = shown(status).match(/default\/web-\d waits for \d+./g)
  expect(waits).toEqual([
    'default/web-3 waits for 7m',
    'default/web-5 waits for 5m',
    'default/web-1 waits for 2m',
  ])
})

test('a Service that could have an address says that nobody gave it', async () => {
  const status = await statusFrom(pool('lan', '10.0.0.1/32') + at('1'))
  expect(status.waiting).toEqual([
    {
      service: 'default/web-1',
      since: '2026-01-01T00:01:00Z',
      message: 'an address is free, but no controller has assigned it yet',
    },
  ])
})

test('of many that wait ten are shown and the rest is counted', async () => {
  const many = Array.from({ length: 12 }, (_, index) => service(`web-${index}`)).join('')
  const text = shown(await statusFrom(many))
  expect(text.match(/waits for/g)).toHaveLength(10)
  expect(text).toContain('Services  0 served, 12 waiting')
  expect(text).toContain('  and 2 more\n')
})

test('counts without end are not written out', async () => {
  expect(shown(await statusFrom(pool('six', 'fd00::/64')))).toMatch(
    /^ {2}six +- +0 used, over 1000000 free$/m,
  )
})

const said = (node: string, service: string, ...interfaces: readonly string[]) => ({
  ...{ name: `l2-${service}`, uid: '', version: 1, isComplete: true },
  ...{ node, service: `default/${service}` as const, interfaces },
})

test('who announces, how many, and where; one that announces nothing is shown too', async () => {
  const usable = new Map([
    ['b', ['eth1', 'eth0']],
    ['c', []],
    ['d', ['eth7']],
  ])
  const announcers = announcersFrom(
    [said('b', 'one'), said('b', 'two', 'eth0'), said('a', 'x', 'eth3'), said('d', 'y', 'eth8')],
    usable,
  )
  expect(announcers).toEqual([
    { node: 'a', services: 1, interfaces: ['eth3'] },
    { node: 'b', services: 2, interfaces: ['eth0', 'eth1'] },
    { node: 'c', services: 0, interfaces: [] },
    { node: 'd', services: 1, interfaces: ['eth8'] },
  ])
  const text = shown(await statusFrom(''), { announcers })
  expect(text).toContain('\nLayer 2  Services     interfaces\n  a      1 announced  eth3\n')
  expect(text).toContain('\n  c      0 announced  none is up\n')
  expect(shown(await statusFrom(''))).toContain('\nLayer 2  no node announces\n')
})

test('which sessions are up, and the peers of those that are not', async () => {
  const bgp = [
    { node: 'a', services: 3, up: ['tor'], down: ['spine'] },
    { node: 'b', services: 0, up: ['spine', 'tor'], down: [] },
  ]
  const text = shown(await statusFrom(''), { bgp })
  expect(text).toContain('\nBGP  Services     sessions\n  a  3 announced  1 up, 1 down: spine\n')
  expect(text).toContain('\n  b  0 announced  2 up\n')
  expect(shown(await statusFrom(''))).not.toContain('BGP')
})

test('what keeps Berth from its work comes first, and decides the exit status', async () => {
  const status = await statusFrom('')
  const leader = { holder: 'a', ageSeconds: 1, isExpired: false }
  const one = {
    word: 'silent',
    object: 'ConfigurationState/speaker-a',
    message: 'it runs',
  } as const
  const empty = { announcers: [], bgp: [], attention: [], parts: [] }
  const healthy = { version: '1', ...empty, status, leader }
  expect(isHealthy(healthy)).toBe(true)
  expect(isHealthy({ ...healthy, attention: [one] })).toBe(false)
  expect(isHealthy({ ...healthy, leader: 'nobody' })).toBe(false)
  const session = { node: 'metal-1', services: 1, up: ['one'], down: [] }
  expect(isHealthy({ ...healthy, bgp: [session] })).toBe(true)
  expect(isHealthy({ ...healthy, bgp: [{ ...session, down: ['two'] }] })).toBe(false)
  const part = { part: 'speakers', message: '2 of 3 ready' } as const
  expect(isHealthy({ ...healthy, parts: [{ ...part, state: 'unknown' }] })).toBe(true)
  expect(isHealthy({ ...healthy, parts: [{ ...part, state: 'failing' }] })).toBe(false)
  const text = shown(status, { leader, standby: 1, attention: [one] })
  expect(text.split('\n').slice(0, 5)).toEqual([
    'berth 1.2.3, leader a, renewed 1s ago, 1 on standby',
    '',
    'Attention  1 condition',
    '  ! silent ConfigurationState/speaker-a',
    '      it runs',
  ])
})

test('what is wrong is counted as lint counts it, and what waits is shown once', async () => {
  const advertisement = `---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: all, namespace: metallb-system}
spec: {ipAddressPools: [nix]}
`
  const yaml = service('web', '"metallb.io/address-pool": nope') + advertisement
  const session = await newSession(nowhere)
  const loaded = await load(session, { files: [folderOf({ 'a.yaml': yaml })], kustomized: [] })
  const { cluster } = session
  const status = statusOf(cluster.world, cluster.speakers())
  const lint = lintReport(cluster, loaded)
  const text = shown(status, { lint })
  expect(text.slice(text.indexOf('Problems'))).toBe(
    'Problems  1 error, 1 warning, 1 of them shown above; run berth lint --live for details\n' +
      '  warning unresolved-reference L2Advertisement/metallb-system/all\n' +
      '      there is no pool nix\n',
  )
  expect(text.match(/pool-not-found/g)).toHaveLength(1)
})

test('red is what fails, yellow what could be better, and only in colour', async () => {
  const status = await statusFrom(at('1'))
  const more: Partial<Shown> = {
    parts: [
      { part: 'API', state: 'well', message: 'Kubernetes v1.36.3' },
      { part: 'speakers', state: 'failing', message: '2 of 3 ready' },
    ],
  }
  const red = (line: string) => `\u001b[31m${line}\u001b[0m`
  const plain = shown(status, more)
  expect(plain).toContain('Parts\n    API       Kubernetes v1.36.3\n  ! speakers  2 of 3 ready\n')
  const coloured = shown(status, more, true).split('\n')
  expect(coloured).toContain(red('  ! speakers  2 of 3 ready'))
  expect(coloured).toContain(red('  ! default/web-1 waits for 9m'))
  expect(coloured).toContain('    API       Kubernetes v1.36.3')
  expect(coloured[0]).toBe(red(plain.split('\n')[0] ?? ''))
})

const lease = (spec: object) => ({ spec: { leaseDurationSeconds: 15, ...spec } })
test.each([
  {
    is: 'renewed',
    spec: { holderIdentity: 'a', renewTime: '2026-01-01T00:09:58.5Z' },
    says: 'leader a, renewed 2s ago',
  },
  {
    is: 'old',
    spec: { holderIdentity: 'a', renewTime: '2026-01-01T00:00:00Z' },
    says: 'no leader: the Lease of a expired, renewed 10m ago',
  },
  {
    is: 'released',
    spec: { holderIdentity: '', renewTime: '2026-01-01T00:09:58Z' },
    says: 'no leader: the Lease in lb has no holder',
  },
])('a Lease that is $is: $says', async ({ spec, says }) => {
  const leader = decodeLeader(lease(spec), nowMs) ?? 'nobody'
  expect(shown(await statusFrom(''), { leader }).split('\n')[0]).toBe(`berth 1.2.3, ${says}`)
})
