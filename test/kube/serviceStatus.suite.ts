// What the API does with the status of a Service: the one write that gives it an address.
import { beforeEach, expect, test } from 'vitest'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import {
  apiAs,
  contract,
  core,
  fieldsOf,
  type KubeObject,
  loadBalancer,
  merge,
  newNamespace,
  onKubernetes,
  refusal,
  strategic,
  verbs,
} from './cluster.ts'
import { isSince } from './kubeVersion.ts'

const admin = apiAs('admin')
const time = '2026-01-02T03:04:05Z'
const condition = {
  type: 'berth.dev/Addressed',
  status: 'True',
  reason: 'Addressed',
  message: '',
  lastTransitionTime: time,
}

let namespace = ''
let services = verbs(admin, core('services'))
let made: KubeObject
beforeEach(async () => {
  namespace = await newNamespace(admin)
  services = verbs(admin, core('services', namespace))
  made = await services.create(loadBalancer('web'))
})

const write = (body: object): Promise<KubeObject> =>
  services.patch('web', { type: strategic, subresource: 'status', body })
const addressed = (...ips: readonly string[]) => ({
  status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } },
})
const ingressOf = ({ status }: KubeObject): unknown =>
  (status as { loadBalancer: { ingress?: unknown } }).loadBalancer.ingress
const vip = (ip: string) => (isSince(30) ? { ip, ipMode: 'VIP' } : { ip })

contract('the status of a Service', () => {
  test('[C55] one patch carries annotation, addresses and condition, and answers the whole', async () => {
    const { uid, resourceVersion } = made.metadata
    const after = await write({
      metadata: { uid, resourceVersion, annotations: { 'metallb.io/ip-allocated-from-pool': 'p' } },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] }, conditions: [condition] },
    })
    expect(after).toMatchObject({
      metadata: { uid, annotations: { 'metallb.io/ip-allocated-from-pool': 'p' } },
      status: { conditions: [condition] },
      spec: made.spec,
    })
    expect(ingressOf(after)).toEqual([vip('192.0.2.1')])
    expect(after.metadata.resourceVersion).not.toBe(resourceVersion)
    expect(await services.get('web')).toEqual(after)
  })

  test('[C56] with a resourceVersion that is no longer there: 409, and nothing is written', async () => {
    const { uid, resourceVersion } = made.metadata
    const spec = { selector: { x: '1' } }
    const after = await services.patch('web', { type: merge, body: { spec } })
    const body = { metadata: { uid, resourceVersion }, ...addressed('192.0.2.1') }
    expect(await refusal(write(body))).toMatchObject({ code: 409, reason: 'Conflict' })
    expect(await services.get('web')).toEqual(after)
  })

  test('[C57] made again under its name it has another uid: 409 or 422, nothing is written', async () => {
    const { uid, resourceVersion } = made.metadata
    await services.remove('web')
    const again = await services.create(loadBalancer('web'))
    expect(again.metadata.uid).not.toBe(uid)
    const both = await refusal(
      write({ metadata: { uid, resourceVersion }, ...addressed('192.0.2.1') }),
    )
    expect(both).toMatchObject({ code: 409, reason: 'Conflict' })
    const alone = await refusal(write({ metadata: { uid }, ...addressed('192.0.2.1') }))
    expect(alone).toMatchObject({ code: 422, reason: 'Invalid' })
    expect(fieldsOf(alone)).toContain('metadata.uid')
    expect(await services.get('web')).toEqual(again)
  })

  test('[C58] addresses are replaced as a list, in the order written', async () => {
    await write(addressed('192.0.2.1', '2001:db8::1'))
    const after = await write(addressed('2001:db8::2', '192.0.2.2'))
    expect(ingressOf(after)).toEqual([vip('2001:db8::2'), vip('192.0.2.2')])
  })

  test('[C59] null takes addresses and annotation away; conditions stay', async () => {
    const annotations = { 'berth.dev/x': '1' }
    await write({
      metadata: { annotations },
      status: { ...addressed('192.0.2.1').status, conditions: [condition] },
    })
    const after = await write({
      metadata: { annotations: { 'berth.dev/x': null } },
      status: { loadBalancer: { ingress: null } },
    })
    expect(after.metadata.annotations).toBeUndefined()
    expect(after.status).toEqual({ loadBalancer: {}, conditions: [condition] })
  })

  test('[C60] conditions merge by type; $patch delete removes one', async () => {
    const other = { ...condition, type: 'example.com/Other', reason: 'some-reason' }
    await write({ status: { conditions: [condition] } })
    await write({ status: { conditions: [other] } })
    const changed = { ...condition, status: 'False', reason: 'PoolFull', message: 'pool p is full' }
    const both = await write({ status: { conditions: [changed] } })
    const conditions = both.status?.['conditions'] as readonly { type: string }[]
    expect(conditions).toHaveLength(2)
    expect(conditions).toEqual(expect.arrayContaining([changed, other]))
    const gone = { type: condition.type, $patch: 'delete' }
    const after = await write({ status: { conditions: [gone] } })
    expect(after.status?.['conditions']).toEqual([other])
  })

  test('[C61] what the patch says of the spec is left out', async () => {
    const after = await write({ spec: { selector: { x: '1' } }, ...addressed('192.0.2.1') })
    expect(after.spec).toEqual(made.spec)
    expect(ingressOf(after)).toEqual([vip('192.0.2.1')])
  })

  test('[C62] what a write to the spec says of the status is left out', async () => {
    const before = await write(addressed('192.0.2.1'))
    const after = await services.replace('web', {
      ...before,
      spec: { ...before.spec, selector: { x: '1' } },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } },
    })
    expect(ingressOf(after)).toEqual([vip('192.0.2.1')])
  })

  test('[C63] a Service that is no longer a LoadBalancer loses its addresses by itself', async () => {
    await write({ status: { ...addressed('192.0.2.1').status, conditions: [condition] } })
    const after = await services.patch('web', {
      type: merge,
      body: { spec: { type: 'ClusterIP' } },
    })
    expect(after.status).toEqual({ loadBalancer: {}, conditions: [condition] })
    const refused = await refusal(write(addressed('192.0.2.1')))
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
    expect(fieldsOf(refused)).toEqual(['status.loadBalancer.ingress'])
  })

  test('[C64] the class of a Service cannot change while it is a LoadBalancer', async () => {
    await services.create(loadBalancer('own', { loadBalancerClass: 'example.com/one' }))
    const body = { spec: { loadBalancerClass: 'example.com/other' } }
    const refused = await refusal(services.patch('own', { type: merge, body }))
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
    expect(fieldsOf(refused)).toContain('spec.loadBalancerClass')
  })

  onKubernetes(
    '[C65] a right to patch services/status is enough, for the annotation too',
    async () => {
      const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', namespace }
      const rules = [{ apiGroups: [''], resources: ['services/status'], verbs: ['patch'] }]
      await verbs(admin, { ...roles, plural: 'roles' }).create({
        metadata: { name: 'writer' },
        rules,
      })
      await verbs(admin, { ...roles, plural: 'rolebindings' }).create({
        metadata: { name: 'writer' },
        roleRef: { apiGroup: roles.group, kind: 'Role', name: 'writer' },
        subjects: [{ apiGroup: roles.group, kind: 'User', name: 'berth' }],
      })
      const berth = verbs(apiAs('berth'), core('services', namespace))
      const body = { metadata: { annotations: { 'berth.dev/x': '1' } }, ...addressed('192.0.2.1') }
      const after = await berth.patch('web', { type: strategic, subresource: 'status', body })
      expect(after).toMatchObject({ metadata: { annotations: { 'berth.dev/x': '1' } } })
      const path = pathOf(core('services', namespace), 'web')
      const refused = await refusal(
        apiAs('berth').call({ method: 'PATCH', path, body, contentType: merge }),
      )
      expect(refused).toMatchObject({ code: 403, reason: 'Forbidden' })
    },
  )
})
