import { expect, test } from 'vitest'
import { newFolder } from '../../../../../test/build/newFolder.ts'
import { WritesStand } from '../../../../../test/build/writesStand.ts'

const services = '/api/v1/namespaces/default/services'
const service = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
})
const small = { clusterIps: ['10.96.0.0/29'], firstPort: 30_000, lastPort: 30_002 }

test('every Service has a cluster IP of its own, however many are made at once', async () => {
  const stand = await WritesStand.start()
  const asked = Array.from({ length: 300 }, (_, index) =>
    stand.create(services, service(`s${index}`, { ipFamilyPolicy: 'RequireDualStack' })),
  )
  const made = await Promise.all(asked)
  const ips = made.flatMap(({ body }) => body.spec.clusterIPs)
  expect(ips).toHaveLength(600)
  expect(new Set(ips).size).toBe(600)
})

test('a requested address is assigned once, and free again when its Service is gone', async () => {
  const stand = await WritesStand.start()
  const asked = { clusterIP: '10.96.7.7' }
  const both = await Promise.all(
    ['a', 'b'].map((name) => stand.create(services, service(name, asked))),
  )
  expect(both.map(({ code }) => code).sort()).toEqual([201, 422])
  const winner = both.find(({ code }) => code === 201)?.body.metadata.name
  await stand.remove(`${services}/${winner}`)
  expect((await stand.create(services, service('c', asked))).code).toBe(201)
})

test('a full range is reported, and a refused Service holds nothing', async () => {
  const stand = await WritesStand.start({ ranges: small })
  const made = await Promise.all(
    Array.from({ length: 7 }, (_, index) => stand.create(services, service(`s${index}`))),
  )
  // One of six is the API's own.
  expect(made.map(({ code }) => code)).toEqual([201, 201, 201, 201, 201, 500, 500])
  expect(made.at(-1)?.body.message).toContain('range is full')
  await stand.remove(`${services}/s0`)
  const bad = await stand.create(services, service('bad', { sessionAffinity: 'Foo' }))
  expect(bad.code).toBe(422)
  const dry = await stand.create(`${services}?dryRun=All`, service('dry'))
  expect(dry.body.spec.clusterIP).toMatch(/^10\.96\.0\./)
  expect((await stand.create(services, service('good'))).code).toBe(201)
})

test('node ports come from their range, and return to it', async () => {
  const stand = await WritesStand.start({ ranges: small })
  const ofNodes = {
    type: 'NodePort',
    ports: [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ],
  }
  const { body } = await stand.create(services, service('a', ofNodes))
  const ports = body.spec.ports.map((one: { nodePort: number }) => one.nodePort)
  expect(new Set([...ports, 30_000, 30_001, 30_002]).size).toBe(3)
  const full = await stand.create(services, service('b', ofNodes))
  expect(full).toMatchObject({ code: 500, body: { reason: 'InternalError' } })
  expect(full.body.message).toContain('failed to allocate a nodePort: range is full')
  await stand.patch(`${services}/a`, { spec: { type: 'ClusterIP' } })
  expect((await stand.create(services, service('b', ofNodes))).code).toBe(201)
})

test('what is held is known after a restart', async () => {
  const folder = newFolder()
  const asked = {
    clusterIP: '10.96.7.7',
    type: 'NodePort',
    ports: [{ port: 80, nodePort: 30_100 }],
  }
  const first = await WritesStand.start({ folder })
  await first.create(services, service('a', asked))
  await first.stop()
  const second = await WritesStand.start({ folder })
  const again = await second.create(services, service('b', asked))
  expect(again.body.message).toContain('provided IP is already allocated')
  const { clusterIP: _, ...port } = asked
  const other = await second.create(services, service('b', port))
  expect(other.body.message).toContain('provided port is already allocated')
})

test('with one family of cluster IPs there is no second address', async () => {
  const stand = await WritesStand.start({ ranges: { ...small, clusterIps: ['fd00:10:96::/112'] } })
  const usual = await stand.create(services, service('a', { ipFamilyPolicy: 'PreferDualStack' }))
  expect(usual.body.spec.ipFamilies).toEqual(['IPv6'])
  const both = await stand.create(services, service('b', { ipFamilyPolicy: 'RequireDualStack' }))
  expect(both.body.message).toContain('this cluster is not configured for dual-stack services')
  const other = await stand.create(services, service('b', { ipFamilies: ['IPv4'] }))
  expect(other.body.message).toContain('spec.ipFamilies[0]: Invalid value: "IPv4": not configured')
})

test('invalid ranges are refused at the start', async () => {
  const ranges = { ...small, clusterIps: ['10.96.0.0'] }
  await expect(WritesStand.start({ ranges })).rejects.toThrow('has no prefix length')
})
