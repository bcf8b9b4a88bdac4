import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { folderOf, nowhere, pool, service } from '../../../../test/build/terminal.ts'
import { parseManifests } from '../../../edge/manifests/readManifests.ts'
import { type Arguments, UsageError } from '../verb.ts'
import { explainVerb } from './explainVerb.ts'

const example = { file: ['examples/cluster'] }

async function explain(question: string, values: Arguments['values'] = example, stdin = '') {
  const printed = { out: '', err: '' }
  const io = {
    ...nowhere,
    stdin: (async function* () {
      yield stdin
    })(),
    out: (text: string) => {
      printed.out += text
    },
    err: (text: string) => {
      printed.err += text
    },
    isTerminal: false,
  }
  const exit = await explainVerb.run({ positionals: question.split(' '), values }, io)
  return { exit, ...printed }
}

const held = (ip: string): string => `---
apiVersion: v1
kind: Service
metadata: {name: first, namespace: default}
spec: {type: LoadBalancer, ipFamilies: [IPv6], ports: [{port: 80}]}
status: {loadBalancer: {ingress: [{ip: "${ip}"}]}}
`

describe('a Service', () => {
  test('[P8] who waits: the reason, then every pool, the first objection marked', async () => {
    const { exit, out, err } = await explain('service openstack2/rabbitmq-cell1')
    expect(out.split('\n')[0]).toBe('Service openstack2/rabbitmq-cell1 waits: quota-exceeded')
    expect(out).toContain(
      "remedy: raise the tenant's quota, or delete a Service that holds an address",
    )
    expect(out).toContain('172.17.0.86, which means 172.27.0.86')
    expect(out).toMatch(/^ {2}openstack2-internalapi would give 172\.27\.0\.86\n/m)
    expect(out).toMatch(/^ {4}x quota +quota-exceeded: tenant openstack2 may hold 2 addresses$/m)
    expect(out).toMatch(/^ {2}lan\n {4}\+ tenant\n {4}x open-pools +pool-not-allowed: /m)
    expect(out).toMatch(/^ {4}- name +it does not answer to internalapi$/m)
    expect([exit, err]).toEqual([0, ''])
  })

  test('[R3.15] who shows what nobody recorded: why it goes', async () => {
    const kept = { apiVersion: 'berth.dev/v1alpha1', kind: 'Address' }
    const address = (name: string, holders: readonly object[], labels = {}) => ({
      ...{ ...kept, metadata: { name, labels }, spec: { address: name, holders } },
    })
    const shown = (name: string, ip: string) => ({
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'shop', uid: name } },
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
      status: { loadBalancer: { ingress: [{ ip }] } },
    })
    const holder = { kind: 'Service', namespace: 'shop', name: 'a', uid: 'a' }
    const objects = [
      {
        ...{ apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' },
        metadata: { name: 'lan', namespace: 'metallb-system' },
        spec: { addresses: ['192.0.2.0/28'] },
      },
      address('192.0.2.1', [holder], { 'app.kubernetes.io/managed-by': 'berth' }),
      address('192.0.2.4', []),
      ...[shown('a', '192.0.2.1'), shown('b', '192.0.2.4')],
    ]
    const text = objects.map((one) => JSON.stringify(one)).join('\n---\n')
    const { out } = await explain('service shop/b', { file: ['-'] }, text)
    expect(out.split('\n')[0]).toBe('Service shop/b holds 192.0.2.0 from pool lan')
    expect(out).toContain('address-reserved: no Address records 192.0.2.4: 192.0.2.4 is kept free')
  })

  test('who is served: what gives it, who announces it and who would next', async () => {
    const { out } = await explain('service shop/web')
    expect(out.split('\n')[0]).toBe('Service shop/web holds 192.168.10.200 from pool lan')
    expect(out).toMatch(/^ {2}lan gives 192\.168\.10\.200$/m)
    expect(out).toMatch(/^ {2}layer 2 goes to metal-2, then metal-3, then metal-1$/m)
    expect(out).toMatch(/^ {2}\+ metal-2 {2}layer2 192\.168\.10\.200 on eth0$/m)
    expect(out).toMatch(/^ {2}- metal-1 {2}layer2 notOwner: metal-2 is elected$/m)
  })

  test('[M3.3] who holds one of two families: what the pool says to the other', async () => {
    const both = service('web').replace('{type', '{ipFamilyPolicy: PreferDualStack, type')
    const stdin = pool('lan', '10.0.0.1/32, "fd00::1/128"') + held('fd00::1') + both
    const { out } = await explain('svc web', { file: '-' }, stdin)
    expect(out.split('\n')[0]).toBe(
      'Service default/web holds 10.0.0.1 from pool lan, but: pool-full',
    )
    const [, told = ''] = /^The second family.*\n((?: .*\n)+)/m.exec(out) ?? []
    expect(told).toMatch(/^ {2}lan\n/)
    expect(told).toMatch(
      /^ {4}x room +pool-full: no address is left: 1 of 1 IPv6 address is held$/m,
    )
  })

  test('by BGP: prefix, peer and attributes, or why not', async () => {
    const { out } = await explain('service shop/edge')
    expect(out).toContain('+ metal-1  bgp 203.0.113.1/32 to tor-a (communities 64512:100)')
    expect(out).toContain('- metal-2  bgp noLocalEndpoints: ')
  })

  test.each([
    { question: 'svc shop/web' },
    { question: 'svc web', namespace: 'shop' },
    { question: 'service shop/web', namespace: 'shop' },
  ])('$question in $namespace', async ({ question, namespace }) => {
    const { out, exit } = await explain(question, { ...example, namespace })
    expect(out).toMatch(/^Service shop\/web holds/)
    expect(exit).toBe(0)
  })

  test('one that is not there: what is close, and exit 1', async () => {
    expect(await explain('svc web')).toEqual({
      exit: 1,
      out: '',
      err: 'berth: there is no Service default/web; did you mean shop/web?\n',
    })
    const { err } = await explain('svc nothing/like-it')
    expect(err).toContain('there are others, such as dns/resolver-tcp, ')
  })
})

describe('an address', () => {
  test.each([
    { address: '192.168.10.200', says: 'held by shop/web' },
    { address: '192.168.10.215', says: 'held by dns/resolver-tcp, dns/resolver-udp' },
    { address: '192.168.10.201', says: 'free in pool lan' },
    { address: '203.0.113.0', says: 'left out of pool public (avoidBuggyIPs)' },
    { address: '192.168.10.11', says: 'in use by Node/metal-1' },
    { address: '172.27.0.1', says: 'in use by Tenant/openstack2' },
  ])('$address is $says', async ({ address, says }) => {
    const { exit, out } = await explain(`address ${address}`)
    expect(out.split('\n')[0]).toBe(`Address ${address} is ${says}`)
    expect(exit).toBe(0)
  })

  test.each([
    { spec: '{address: 10.0.0.2}', says: 'kept free' },
    {
      spec: '{address: 10.0.0.2, note: soon, reservedFor: {namespace: a, name: b}}',
      says: 'reserved for a/b',
    },
  ])('$says', async ({ spec, says }) => {
    const kept = `apiVersion: berth.dev/v1alpha1
kind: Address
metadata: {name: 10.0.0.2}
spec: ${spec}
`
    const { out } = await explain('address 10.0.0.2', { file: '-' }, kept)
    expect(out.split('\n')[0]).toBe(`Address 10.0.0.2 is ${says}`)
  })

  test('who waits for it and who announces it', async () => {
    const waited = await explain('address 172.27.0.86')
    expect(waited.out).toContain('openstack2/rabbitmq-cell1  quota-exceeded: ')
    const announced = await explain('address 192.168.10.215')
    expect(announced.out).toContain('layer2 192.168.10.215 on eth0: dns/resolver-udp')
  })

  test('one that is in no pool, and that a Service asks for: who waits, and the nearest pools', async () => {
    const asking = service('web', 'metallb.io/loadBalancerIPs: 10.0.0.3')
    const folder = folderOf({ 'a.yaml': pool('lan', '10.0.0.1-10.0.0.2') + asking })
    const { exit, out } = await explain('address 10.0.0.3', { file: [folder] })
    expect(out).toMatch(/^Address 10\.0\.0\.3 is in no pool\n/)
    expect(out).toContain('nearest  lan (10.0.0.1-10.0.0.2)\n')
    expect(out).toContain('default/web  address-not-in-pool: no pool contains 10.0.0.3\n')
    expect(exit).toBe(0)
  })

  test('one that is nowhere: the nearest pools, and exit 1', async () => {
    const { exit, out, err } = await explain('address 192.168.10.9')
    expect([exit, out]).toEqual([1, ''])
    expect(err).toMatch(/^berth: address 192\.168\.10\.9 is in no pool, .*; nearest: lan \(/)
  })
})

describe('a pool', () => {
  test('its definition, its use, who waits, what announces it', async () => {
    const { exit, out } = await explain('pool openstack2-internalapi')
    expect(out).toMatch(/^ {2}answers to +openstack2-internalapi, internalapi$/m)
    expect(out).toMatch(/^ {2}tenant +openstack2, made from it$/m)
    expect(out).toMatch(/^ {2}IPv4 {2}11 addresses: 2 held, 9 free$/m)
    expect(out).toMatch(/^ {2}172\.27\.0\.85 {2}openstack2\/rabbitmq$/m)
    expect(out).toMatch(/^ {2}openstack2\/rabbitmq-cell1 {2}quota-exceeded: /m)
    expect(out).toMatch(/L2Advertisement \S+ {2}from metal-1, metal-2, metal-3 on eth1\.25$/m)
    expect(exit).toBe(0)
  })

  test('what is wrong with it', async () => {
    const stdin = pool('lan', '10.0.0.1/32') + service('web')
    const { out } = await explain('pool lan', { file: '-' }, stdin)
    expect(out).toContain('! never-announced IPAddressPool/metallb-system/lan')
    expect(out).toContain('remedy: add an L2Advertisement or BGPAdvertisement')
  })

  test('a name that pools only answer to is not a pool: they are named, and exit 1', async () => {
    const { exit, err } = await explain('pool internalapi')
    expect(err).toMatch(/did you mean openstack-internalapi or openstack2-internalapi\?\n$/)
    expect(exit).toBe(1)
  })
})

test('no line is longer than 100 columns', async () => {
  const services = readFileSync('examples/cluster/services.yaml', 'utf8')
  const names = [...services.matchAll(/name: (\S+)\n {2}namespace: (\S+)/g)]
  const questions = names.map(([, name, namespace]) => `service ${namespace}/${name}`)
  expect(questions).toHaveLength(10)
  for (const question of [...questions, 'pool lan', 'pool public', 'address 192.168.10.215']) {
    const { out } = await explain(question)
    for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100)
  }
})

describe('as data', () => {
  test.each([
    { question: 'service shop/web', kind: 'Service', name: 'shop/web' },
    { question: 'address 2001:db8:10::0220', kind: 'Address', name: '2001:db8:10::220' },
    { question: 'pool dual', kind: 'Pool', name: 'dual' },
  ])('$question carries the schema, and YAML says the same as JSON', async (row) => {
    const { question, kind, name } = row
    const { out } = await explain(question, { ...example, output: 'json' })
    const json: unknown = JSON.parse(out)
    expect(json).toMatchObject({ schema: 'berth.dev/explain/v1', kind, name, isFound: true })
    const yaml = (await explain(question, { ...example, output: 'yaml' })).out
    const [read] = parseManifests(`apiVersion: v1\n${yaml}`, 'out')
    expect(read).toMatchObject({ ok: true, manifest: { json } })
  })

  test('a count that a number could not hold is text', async () => {
    const { out } = await explain(
      'pool six',
      { file: '-', output: 'json' },
      pool('six', 'fd00::/64'),
    )
    expect(JSON.parse(out)).toMatchObject({ use: [{ capacity: '18446744073709551616' }] })
  })

  test('what is not there says so, with what is close', async () => {
    const { exit, out } = await explain('pool lna', { ...example, output: 'json' })
    expect(JSON.parse(out)).toMatchObject({
      kind: 'Pool',
      name: 'lna',
      isFound: false,
      close: ['lan'],
    })
    expect(exit).toBe(1)
  })
})

test('bad files are told with their line, the rest is explained, exit 1', async () => {
  const folder = folderOf({
    'bad.yaml': 'a: 1\nb: [\n',
    'good.yaml': pool('lan', '10.0.0.1/32') + service('web'),
    'refused.yaml': pool('crossed', '10.5.0.9-10.5.0.1'),
  })
  const { exit, out, err } = await explain('service default/web', { file: [folder] })
  expect(out).toContain('Service default/web holds 10.0.0.1 from pool lan')
  expect(err).toMatch(/bad\.yaml:[23]: /)
  expect(err).toMatch(/refused\.yaml:5: IPAddressPool\/metallb-system\/crossed: spec\.addresses/)
  expect(exit).toBe(1)
})

test.each([
  { question: 'service', values: example, says: 'say which service' },
  { question: 'address here', values: example, says: '"here" is not an address' },
  {
    question: 'svc shop/web',
    values: { ...example, namespace: 'dns' },
    says: 'not in the namespace',
  },
  { question: 'pool lan', values: { ...example, context: 'here' }, says: 'give only one' },
])('$question is a mistake: $says', async ({ question, values, says }) => {
  const asked = explain(question, values)
  await expect(asked).rejects.toThrow(says)
  await expect(asked).rejects.toBeInstanceOf(UsageError)
})

test('without files the running API is asked; where there is none, one sentence and exit 1', async () => {
  const { exit, out, err } = await explain('pool lan', {})
  const place = '/nowhere/.kube/config'
  expect(err).toBe(
    `berth: no API server is named: there is no kubeconfig at ${place}, and this is not a pod; ` +
      "add --kubeconfig FILE, or start 'berth up'\n",
  )
  expect([exit, out]).toEqual([1, ''])
})

test('docs/guides/explain.md shows what is really printed', async () => {
  const guide = readFileSync('docs/guides/explain.md', 'utf8')
  const [, shown = ''] = /^```text\n([\s\S]*?)^```/m.exec(guide) ?? []
  const { out } = await explain('service openstack2/rabbitmq-cell1')
  expect(shown).toBe(out)
})
