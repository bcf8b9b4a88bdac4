import { expect, test } from 'vitest'
import { WritesStand } from '../../../../test/build/writesStand.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import { type Admission, noAdmission } from './admission.ts'

type Asked = readonly [JsonObject, JsonObject | undefined]
const metallb = (plural: string, version = 'v1beta1') =>
  `/apis/metallb.io/${version}/namespaces/default/${plural}`
const object = (kind: string, name: string, spec: object, version = 'v1beta1') => ({
  apiVersion: `metallb.io/${version}`,
  kind,
  metadata: { name },
  spec,
})
const pool = (name: string) => object('IPAddressPool', name, { addresses: ['10.0.0.0/24'] })

/** Refuses objects with a name that starts with "bad", and records what it was asked. */
async function standWith(admission: Partial<Admission> = {}) {
  const asked: Asked[] = []
  const isBad = ({ metadata }: JsonObject) => JSON.stringify(metadata).includes('"bad')
  const stand = await WritesStand.start({
    admission: {
      ...noAdmission,
      admit(one, before) {
        asked.push([one, before])
        if (!isBad(one)) return { ok: true, warnings: ['mind the gap'] }
        const errors = [
          { path: 'spec.addresses[0]', message: 'Forbidden: overlaps' },
          { path: '', message: 'no good' },
        ]
        return { ok: false, errors }
      },
      admitDelete: (one) =>
        isBad(one)
          ? { ok: false, errors: [{ path: '', message: 'still in use' }] }
          : { ok: true, warnings: ['nobody needs it'] },
      ...admission,
    },
  })
  await stand.installCrds()
  return { stand, asked }
}

test('[C103] a refusal by our admission reads as from a webhook; its warnings reach the client', async () => {
  const { stand } = await standWith()
  const refused = await stand.create(metallb('ipaddresspools'), pool('bad'))
  expect(refused).toMatchObject({
    code: 403,
    body: {
      reason: 'Forbidden',
      message:
        'admission webhook "ipaddresspoolvalidationwebhook.metallb.io" denied the request: ' +
        'spec.addresses[0]: Forbidden: overlaps; no good',
      details: {
        name: 'bad',
        group: 'metallb.io',
        kind: 'IPAddressPool',
        causes: [
          { reason: 'FieldValueForbidden', field: 'spec.addresses[0]' },
          { reason: 'FieldValueInvalid', field: '' },
        ],
      },
    },
  })
  const made = await stand.create(metallb('ipaddresspools'), pool('good'))
  expect(made).toMatchObject({ code: 201, warnings: ['mind the gap'] })
})

test('a Service has no webhook: it is refused as invalid', async () => {
  const { stand } = await standWith()
  const body = { metadata: { name: 'bad' }, spec: { ports: [{ port: 80 }] } }
  const refused = await stand.create('/api/v1/namespaces/default/services', body)
  expect(refused).toMatchObject({ code: 422, body: { reason: 'Invalid' } })
})

test('admission sees the new and the old object in the storage version, and no status', async () => {
  const { stand, asked } = await standWith()
  const spec = { myASN: 1, peerASN: 2, peerAddress: '10.0.0.1' }
  await stand.create(metallb('bgppeers'), object('BGPPeer', 'p', spec))
  await stand.patch(`${metallb('bgppeers')}/p`, { spec: { holdTime: '30s' } })
  await stand.create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'm' } })
  await stand.create(metallb('ipaddresspools'), pool('p'))
  const status = { assignedIPv4: 1, assignedIPv6: 0, availableIPv4: 1, availableIPv6: 0 }
  await stand.patch(`${metallb('ipaddresspools')}/p/status`, { status })
  const seen = asked.map(([one, before]) => [one['apiVersion'], before?.['apiVersion']])
  expect(seen).toEqual([
    ['metallb.io/v1beta2', undefined],
    ['metallb.io/v1beta2', 'metallb.io/v1beta2'],
    ['metallb.io/v1beta1', undefined],
  ])
})

test('[M8.1] a profile in use cannot be deleted; others can', async () => {
  const { stand } = await standWith({ admit: () => ({ ok: true, warnings: [] }) })
  for (const name of ['bad', 'good']) {
    await stand.create(metallb('bfdprofiles'), object('BFDProfile', name, {}))
  }
  const refused = await stand.remove(`${metallb('bfdprofiles')}/bad`)
  expect(refused).toMatchObject({ code: 403, body: { message: expect.stringContaining('in use') } })
  expect((await stand.remove(`${metallb('bfdprofiles')}/good`)).code).toBe(200)
  const all = await stand.remove(metallb('bfdprofiles'))
  expect(all.code).toBe(403)
})

test('[R4.20] no way of deleting removes a tenant in use; an unused one goes', async () => {
  const { stand } = await standWith({ admit: () => ({ ok: true, warnings: [] }) })
  const tenants = '/apis/berth.dev/v1alpha1/tenants'
  const spec = { namespaces: { names: ['shop'] }, networks: [] }
  for (const name of ['bad', 'good']) {
    const made = { apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', metadata: { name }, spec }
    expect((await stand.create(tenants, made)).code).toBe(201)
  }
  for (const propagationPolicy of ['Background', 'Foreground', 'Orphan']) {
    const refused = await stand.remove(`${tenants}/bad`, { propagationPolicy })
    expect(refused).toMatchObject({ code: 403, body: { reason: 'Forbidden' } })
  }
  expect((await stand.remove(tenants)).code).toBe(403)
  expect((await stand.remove(`${tenants}/good`)).code).toBe(200)
})

test('writes of our own controllers are not checked again', async () => {
  const { stand } = await standWith({ isOurs: ({ user }) => user === 'admin' })
  expect((await stand.create(metallb('ipaddresspools'), pool('bad'))).code).toBe(201)
})
