// What the API makes of our definitions and of objects of our kinds.
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/edge/host/clock.ts'
import type { ApiError } from '../../src/edge/kube/api/fault.ts'
import { pathOf, type Resource } from '../../src/edge/kube/api/resource.ts'
import { type WatchStep, watch } from '../../src/edge/kube/api/watch.ts'
import { kinds } from '../../src/edge/kube/kinds.ts'
import {
  apiAs,
  apply,
  contract,
  fieldsOf,
  type KubeObject,
  merge,
  newNamespace,
  onKubernetes,
  refusal,
  strategic,
  verbs,
} from './cluster.ts'
import {
  addresses,
  conditionsOf,
  defineCrd,
  definitions,
  forgetCrd,
  installCrds,
  shippedCrds,
  smallCrd,
} from './crds.ts'
import { isSince } from './kubeVersion.ts'
import { next, until } from './waits.ts'

const warnings: string[] = []
const admin = apiAs('admin', { onWarning: (text) => warnings.push(text) })
const shipped = await shippedCrds()

let over = new AbortController()
beforeEach(() => {
  over = new AbortController()
  warnings.length = 0
})
afterEach(() => over.abort())

const crdVerbs = verbs(admin, definitions)

contract('our definitions', () => {
  test('[C76] all of them are taken without a warning and become established', async () => {
    const ours = kinds.filter(({ group }) => ['berth.dev', 'metallb.io'].includes(group))
    const names = ours.map(({ plural, group }) => `${plural}.${group}`)
    expect(shipped.map(({ name }) => name).sort()).toEqual(names.sort())
    await installCrds(admin)
    expect(warnings).toEqual([])
    for (const { name } of shipped) {
      const conditions = conditionsOf(await crdVerbs.get(name))
      expect(conditions).toEqual({ Established: 'True', NamesAccepted: 'True' })
    }
  })

  test('[C77] applied again they stay as they are', async () => {
    for (const { name, json } of shipped) {
      const before = await crdVerbs.get(name)
      const query = { fieldManager: 'test', force: 'true' }
      const after = await crdVerbs.patch(name, { type: apply, body: json, query })
      expect(after.metadata.resourceVersion, name).toBe(before.metadata.resourceVersion)
    }
  })
})

const address = (name: string, spec: object = {}): object => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Address',
  metadata: { name },
  spec: { address: name, ...spec },
})
const held = verbs(admin, addresses)
const conflict = { code: 409, reason: 'Conflict' }

contract('objects of our kinds', () => {
  beforeAll(() => installCrds(admin))
  afterEach(() => held.removeAll())

  test('[C78] of many who claim one address at once, one gets it', async () => {
    const claims = Array.from({ length: 16 }, (_, index) =>
      held.create(address('192.0.2.1', { note: `claim ${index}` })).then(
        () => 'won',
        (error: { readonly reason?: string }) => error.reason,
      ),
    )
    const lost = Array.from({ length: 15 }, () => 'AlreadyExists')
    expect((await Promise.all(claims)).sort()).toEqual([...lost, 'won'])
  })

  test('[C79] holders are added under a resourceVersion: of two, one is refused', async () => {
    const { metadata } = await held.create(address('192.0.2.1'))
    const { uid, resourceVersion } = metadata
    const join = (name: string) => {
      const holders = [{ kind: 'Service', namespace: 'shop', name, uid: name, ports: ['TCP/80'] }]
      const body = { metadata: { uid, resourceVersion }, spec: { holders } }
      return held.patch('192.0.2.1', { type: merge, body })
    }
    const after = await join('one')
    expect(await refusal(join('other'))).toMatchObject(conflict)
    expect(await held.get('192.0.2.1')).toEqual(after)
  })

  test('[C80] a patch with another uid is answered 422 Invalid, on metadata.uid', async () => {
    const before = await held.create(address('192.0.2.1'))
    const body = { metadata: { uid: 'another' }, spec: { note: 'x' } }
    const refused = await refusal(held.patch('192.0.2.1', { type: merge, body }))
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
    expect(fieldsOf(refused)).toContain('metadata.uid')
    expect(await held.get('192.0.2.1')).toEqual(before)
  })

  test('[C81] a delete with another uid or resourceVersion is answered 409 Conflict', async () => {
    const { metadata } = await held.create(address('192.0.2.1'))
    const { uid, resourceVersion } = metadata
    const after = await held.patch('192.0.2.1', { type: merge, body: { spec: { note: 'x' } } })
    for (const preconditions of [{ uid: 'another' }, { uid, resourceVersion }]) {
      const refused = await refusal(held.remove('192.0.2.1', { preconditions }))
      expect(refused).toMatchObject(conflict)
    }
    const now = { uid, resourceVersion: after.metadata.resourceVersion }
    await held.remove('192.0.2.1', { preconditions: now })
    expect(await refusal(held.get('192.0.2.1'))).toMatchObject({ code: 404, reason: 'NotFound' })
  })

  test('[C82] an update must say which resourceVersion it replaces', async () => {
    await held.create(address('192.0.2.1'))
    const refused = await refusal(held.replace('192.0.2.1', address('192.0.2.1', { note: 'x' })))
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
    expect(fieldsOf(refused)).toEqual(['metadata.resourceVersion'])
  })

  test('[C83] a strategic patch is answered 415', async () => {
    await held.create(address('192.0.2.1'))
    const refused = await refusal(held.patch('192.0.2.1', { type: strategic, body: {} }))
    expect(refused).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' })
  })

  test('[C84] items of a list carry their type', async () => {
    await held.create(address('192.0.2.1'))
    const { kind, items } = await held.list()
    expect(kind).toBe('AddressList')
    expect(items).toMatchObject([{ apiVersion: 'berth.dev/v1alpha1', kind: 'Address' }])
  })

  test('[C85] unknown fields: pruned, warned of or refused, as asked', async () => {
    const create = (fieldValidation: string) =>
      held.create(address('192.0.2.1', { colour: 'red' }), { fieldValidation, dryRun: 'All' })
    expect((await create('Ignore')).spec).toEqual({ address: '192.0.2.1' })
    expect(warnings).toEqual([])
    expect((await create('Warn')).spec).toEqual({ address: '192.0.2.1' })
    expect(warnings).toEqual(['unknown field "spec.colour"'])
    const refused = await refusal(create('Strict'))
    expect(refused).toMatchObject({ code: 400, reason: 'BadRequest' })
    expect(refused.message).toContain('strict decoding error: unknown field "spec.colour"')
  })
})

contract('status', () => {
  const pool = { metadata: { name: 'p' }, spec: { addresses: ['192.0.2.0/24'] } }
  const typed = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool', ...pool }
  const status = { assignedIPv4: 1, assignedIPv6: 0, availableIPv4: 255, availableIPv6: 0 }
  let pools = verbs(admin, addresses)
  beforeAll(() => installCrds(admin))
  beforeEach(async () => {
    const namespace = await newNamespace(admin)
    pools = verbs(admin, {
      group: 'metallb.io',
      version: 'v1beta1',
      plural: 'ipaddresspools',
      namespace,
    })
  })

  test('[C86] defaults are filled in, and what a create says of the status is left out', async () => {
    const made = await pools.create({ ...typed, status })
    expect(made.spec).toEqual({ ...pool.spec, autoAssign: true, avoidBuggyIPs: false })
    expect(made.status).toBeUndefined()
    expect(made.metadata.generation).toBe(1)
  })

  test('[C87] a write to the status leaves spec and metadata as they are', async () => {
    const made = await pools.create(typed)
    const body = {
      metadata: { labels: { x: '1' }, annotations: { x: '1' } },
      spec: { addresses: ['198.51.100.0/24'] },
      status,
    }
    const patched = await pools.patch('p', { type: merge, subresource: 'status', body })
    expect(patched.status).toEqual(status)
    const { resourceVersion, managedFields: _, ...metadata } = metaOf(patched)
    expect({ ...metadata, spec: patched.spec }).toMatchObject({ spec: made.spec })
    expect(metadata).not.toHaveProperty('labels')
    expect(metadata).not.toHaveProperty('annotations')
    expect(patched.metadata.generation).toBe(1)
    const more = { ...patched, spec: body.spec, status: { ...status, assignedIPv4: 2 } }
    const replaced = await pools.replace('p', more, 'status')
    expect(replaced).toMatchObject({ spec: made.spec, status: { assignedIPv4: 2 } })
    expect(replaced.metadata.resourceVersion).not.toBe(resourceVersion)
  })

  test('[C88] a write to the spec leaves the status as it is and counts the generation up', async () => {
    await pools.create(typed)
    const before = await pools.patch('p', { type: merge, subresource: 'status', body: { status } })
    const spec = { ...before.spec, autoAssign: false }
    const after = await pools.replace('p', {
      ...before,
      spec,
      status: { ...status, assignedIPv4: 9 },
    })
    expect(after).toMatchObject({ spec: { autoAssign: false }, status })
    expect(after.metadata.generation).toBe(2)
    const labelled = { type: merge, body: { metadata: { labels: { x: '1' } } } }
    expect((await pools.patch('p', labelled)).metadata.generation).toBe(2)
  })

  test('[C89] a status with a resourceVersion that is no longer there is answered 409', async () => {
    const { metadata } = await pools.create(typed)
    await pools.patch('p', { type: merge, body: { spec: { autoAssign: false } } })
    const body = { metadata: { resourceVersion: metadata.resourceVersion }, status }
    const refused = await refusal(pools.patch('p', { type: merge, subresource: 'status', body }))
    expect(refused).toMatchObject(conflict)
  })

  test('[C90] a status is checked by the schema too; a kind without one has none to write', async () => {
    await pools.create(typed)
    const body = { status: { assignedIPv4: 'many' } }
    const refused = await refusal(pools.patch('p', { type: merge, subresource: 'status', body }))
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
    expect(fieldsOf(refused)).toContain(isSince(31) ? 'status.assignedIPv4' : 'assignedIPv4')
    await held.create(address('192.0.2.104'))
    const none = held.patch('192.0.2.104', { type: merge, subresource: 'status', body: {} })
    expect(await refusal(none)).toMatchObject({ code: 404 })
    await held.remove('192.0.2.104')
  })
})

const metaOf = ({ metadata }: KubeObject) =>
  metadata as KubeObject['metadata'] & { managedFields?: unknown }

contract('versions', () => {
  const peers = (version: string, namespace: string): Resource => ({
    group: 'metallb.io',
    version,
    plural: 'bgppeers',
    namespace,
  })
  const peer = (version: string, spec: object = {}) => ({
    apiVersion: `metallb.io/${version}`,
    kind: 'BGPPeer',
    metadata: { name: 'p' },
    spec: { myASN: 64500, peerASN: 64501, peerAddress: '192.0.2.1', ...spec },
  })
  beforeAll(() => installCrds(admin))

  onKubernetes(
    '[C91] without the conversion webhook the stored version works, the other is refused',
    async () => {
      const namespace = await newNamespace(admin)
      const stored = verbs(admin, peers('v1beta2', namespace))
      await stored.create(peer('v1beta2'))
      expect((await stored.list()).items).toHaveLength(1)
      const old = verbs(admin, peers('v1beta1', namespace))
      const refused = await refusal(old.create(peer('v1beta1')))
      expect(refused.code).toBe(500)
      expect(refused.message).toContain('conversion webhook')
      expect(await refusal(old.list())).toMatchObject({ code: 500 })
    },
  )

  test('[C92] rules of the definitions hold: connectTime, and what may not change', async () => {
    const stored = verbs(admin, peers('v1beta2', await newNamespace(admin)))
    for (const connectTime of ['0s', '1500ms', '65536s']) {
      const refused = await refusal(stored.create(peer('v1beta2', { connectTime })))
      expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
      expect(fieldsOf(refused)).toEqual(['spec.connectTime'])
    }
    await stored.create(peer('v1beta2', { connectTime: '10s', enableGracefulRestart: true }))
    const body = { spec: { enableGracefulRestart: false } }
    const refused = await refusal(stored.patch('p', { type: merge, body }))
    expect(refused.message).toContain('EnableGracefulRestart cannot be changed after creation')
  })
})

const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
type Table = {
  readonly kind: string
  readonly columnDefinitions: readonly { name: string; type: string; priority: number }[]
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: KubeObject }[]
}
const tableOf = async (resource: Resource): Promise<Table> =>
  (await admin.call({ method: 'GET', path: pathOf(resource), accept: asTable })) as Table

contract('tables', () => {
  beforeAll(() => installCrds(admin))
  afterEach(() => held.removeAll())

  test('[C93] the columns of every kind are those of its definition, after the name', async () => {
    for (const { crd } of shipped) {
      const version = crd.versions.find(({ storage }) => storage)
      const { name = '', columns = [] } = version ?? {}
      const resource = { group: crd.group, version: name, plural: crd.plural }
      const { kind, columnDefinitions } = await tableOf(resource)
      expect(kind).toBe('Table')
      const own = columns.map((column) => [column.name, column.type, column.priority ?? 0])
      const age = ['Age', 'date', 0]
      const [first, ...rest] = columnDefinitions.map((one) => [one.name, one.type, one.priority])
      expect(first).toEqual(['Name', 'string', 0])
      expect(rest, crd.kind).toEqual(own.length > 0 ? own : [age])
    }
  })

  test('[C94] a row has a cell for each column, and the metadata of its object', async () => {
    const holders = [{ kind: 'Service', namespace: 'shop', name: 'web' }]
    await held.create(address('192.0.2.1', { pool: 'p', sharingKey: 'k', holders }))
    const { columnDefinitions, rows } = await tableOf(addresses)
    const names = columnDefinitions.map(({ name }) => name)
    const cells = Object.fromEntries(names.map((name, index) => [name, rows[0]?.cells[index]]))
    expect(cells).toMatchObject({
      Name: '192.0.2.1',
      Address: '192.0.2.1',
      Pool: 'p',
      Holder: 'web',
      Namespace: 'shop',
      'Sharing Key': 'k',
      'Reserved For': null,
    })
    expect(cells['Age']).toMatch(/^\d+s$/)
    expect(rows[0]?.object).toMatchObject({
      kind: 'PartialObjectMetadata',
      metadata: { name: '192.0.2.1' },
    })
  })
})

contract('a definition that goes', () => {
  const boats = { group: 'contract.berth.dev', version: 'v1', plural: 'boats' }
  const definition = smallCrd('boats', { type: 'object' })
  const make = (name: string) =>
    verbs(admin, boats).create({
      apiVersion: 'contract.berth.dev/v1',
      kind: 'Boat',
      metadata: { name },
    })
  const isMissing = (step: WatchStep): boolean =>
    step.type === 'fault' && 'code' in step.fault && step.fault.code === 404
  const wordOf = (step: WatchStep): string =>
    'json' in step ? `${step.type} ${(step.json as KubeObject).metadata.name}` : step.type

  test('[C95] its kind is answered 404; made again it is another, and listed anew', async () => {
    await defineCrd(admin, 'boats.contract.berth.dev', definition)
    await make('a')
    const options = { signal: over.signal, clock: systemClock, random: Math.random }
    const steps = watch(admin, boats, options)
    await next('a', steps, (step) => wordOf(step) === 'init-apply a')
    await forgetCrd(admin, 'boats.contract.berth.dev')
    // Whether the deletion of a comes before is a matter of luck: nobody may rely on it.
    await next('a fault with 404', steps, isMissing)
    await defineCrd(admin, 'boats.contract.berth.dev', definition)
    await make('b')
    await next('init', steps, ({ type }) => type === 'init')
    const step = await next('b', steps, (one) => 'json' in one)
    expect(wordOf(step)).toMatch(/apply b$/)
    await forgetCrd(admin, 'boats.contract.berth.dev')
  })

  test('[C96] while a kind is being defined, reads are answered 404 or 429 with Retry-After', async () => {
    const name = 'rafts.contract.berth.dev'
    const rafts = verbs(admin, { ...boats, plural: 'rafts' })
    await crdVerbs.create(smallCrd('rafts', { type: 'object' }))
    const refusals: ApiError[] = []
    await until('rafts can be listed', () =>
      rafts.list().catch((error: ApiError) => {
        refusals.push(error)
      }),
    )
    for (const { code, retryAfterMs } of refusals) {
      expect([404, 429]).toContain(code)
      if (code === 429) expect(retryAfterMs).toBe(1000)
    }
    await forgetCrd(admin, name)
  })
})
