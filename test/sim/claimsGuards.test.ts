// What does a claim lose without one of its guards? Each schedule is the shortest that tells: steps
// in an order that chance seldom picks.
import { expect, test } from 'vitest'
import { asks, pool, recordedOnly, service, shares, shownIn, shownOnly } from './claimObjects.ts'
import { Stage } from './stage.ts'
import { type Json, metaOf, type TinyApi } from './tinyApi.ts'

function newStage(...services: readonly Json[]): Stage {
  const stage = new Stage()
  stage.api.put(pool('p', ['10.0.0.0/30']))
  for (const json of services) stage.api.put(json)
  return stage
}

/** The user wants something else of it. */
const edit = (api: TinyApi, wanted: Parameters<typeof service>[0]): void =>
  api.put(service(wanted, api.get('Service', wanted.name)))

const shown = (api: TinyApi): object =>
  Object.fromEntries(shownIn(api).map(({ name, ips }) => [name, ips.join()]))

/** What another leader did, of which no watch has told yet. */
function giveElsewhere(api: TinyApi, name: string, ip: string): void {
  const status = { loadBalancer: { ingress: [{ ip }] } }
  api.put({ ...service({ name }), status })
  const { uid } = metaOf(api.get('Service', name) ?? {})
  const holder = { kind: 'Service', namespace: 'a', name, uid, ports: ['TCP/80'], backend: '' }
  api.put({
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'Address',
    metadata: { name: ip, labels: { 'app.kubernetes.io/managed-by': 'berth' } },
    spec: { address: ip, pool: 'p', sharingKey: '', holders: [holder] },
  })
}

/** Somebody was seen to delete it (R3.14). */
function loseForGood(api: TinyApi, name: string): void {
  api.put({ apiVersion: 'berth.dev/v1alpha1', kind: 'ReleasedPool', metadata: { name } })
  api.remove('IPAddressPool', name)
}

test('[R3.12] whoever moves is claimed, shown and released with one write each', async () => {
  const stage = newStage(service({ name: 's0', annotations: asks('10.0.0.1') }))
  await stage.lead()
  await stage.rest()
  stage.forget()
  edit(stage.api, { name: 's0', annotations: asks('10.0.0.2') })
  await stage.rest()
  expect(stage.requests).toEqual([
    'POST Address 10.0.0.2',
    'PATCH Service s0',
    'DELETE Address 10.0.0.1',
  ])
})

test('[R3.11] two that come to share an address at once: no write is refused', async () => {
  const both = ['s0', 's1'].map((name, at) => service({ name, annotations: shares, port: 80 + at }))
  const stage = newStage(...both)
  await stage.lead()
  await stage.rest()
  expect(shown(stage.api)).toEqual({ s0: '10.0.0.0', s1: '10.0.0.0' })
  expect(stage.refused).toEqual([])
})

test('[R3.12] one that changes while it is claimed: no write is sent that would be refused', async () => {
  const stage = newStage(service({ name: 's0' }))
  await stage.lead()
  edit(stage.api, { name: 's0', port: 81 })
  await stage.rest(/POST/)
  await stage.rest()
  expect(shown(stage.api)).toEqual({ s0: '10.0.0.0' })
  expect(stage.refused).toEqual([])
})

test('[P2] one that asks for something else while it is claimed loses nothing to another', async () => {
  const stage = newStage(service({ name: 's0', annotations: asks('10.0.0.2') }))
  await stage.lead()
  edit(stage.api, { name: 's0', annotations: asks('10.0.0.3') })
  stage.api.put(service({ name: 's1', annotations: asks('10.0.0.3') }))
  await stage.rest(/Address 10.0.0.2/)
  await stage.rest()
  expect(stage.refused).toEqual([])
  expect(recordedOnly(stage.api)).toEqual([])
})

test('[R3.12] the answer to a write that comes after the end of its Service is no news', async () => {
  const stage = newStage(service({ name: 's0' }))
  await stage.lead()
  await stage.rest(/hears yes of PATCH Service/)
  stage.api.remove('Service', 's0')
  await stage.rest(/hears yes of PATCH Service/)
  await stage.rest()
  expect(recordedOnly(stage.api)).toEqual([])
})

test('[R3.12] whoever is refused reads again, and does not wait for the watch', async () => {
  const stage = newStage(service({ name: 's0' }))
  const leader = await stage.lead()
  giveElsewhere(stage.api, 's1', '10.0.0.0')
  await stage.rest(/sees/)
  expect(shown(stage.api)).toEqual({ s0: '10.0.0.1', s1: '10.0.0.0' })
  // It never had the first one, so that there is nothing to say of it.
  expect(leader.said).toEqual(['IPAllocated'])
})

test('[R3.12] past the renew deadline a claim under way is not shown; leading again, it is', async () => {
  const stage = newStage(service({ name: 's0' }))
  const leader = await stage.lead()
  await stage.take(/POST Address/)
  leader.isLeading = false
  await stage.rest()
  expect(shown(stage.api)).toEqual({ s0: '' })
  leader.isLeading = true
  leader.worker.pump()
  await stage.rest()
  expect(shown(stage.api)).toEqual({ s0: '10.0.0.0' })
})

test('[R3.12] past the renew deadline nothing is begun', async () => {
  const stage = newStage(service({ name: 's0' }))
  const leader = await stage.lead()
  await stage.rest()
  stage.forget()
  leader.isLeading = false
  stage.api.remove('Service', 's0')
  stage.api.put(service({ name: 's1' }))
  await stage.rest()
  expect(stage.requests).toEqual([])
})

test('[R3.9] what a status shows already is recorded before anything else is written', async () => {
  const status = { loadBalancer: { ingress: [{ ip: '10.0.0.2' }] } }
  const stage = newStage({ ...service({ name: 's0' }), status })
  await stage.lead()
  await stage.rest()
  expect(stage.requests).toEqual(['POST Address 10.0.0.2', 'PATCH Service s0'])
})

test('[R3.12] one made again under its name takes the record over, and is not touched for it', async () => {
  const stage = newStage(service({ name: 's0' }))
  await stage.lead()
  await stage.rest()
  stage.forget()
  stage.api.remove('Service', 's0')
  stage.api.put(service({ name: 's0', annotations: asks('10.0.0.0') }))
  await stage.rest(/Address/)
  await stage.rest()
  expect(shownOnly(stage.api)).toEqual([])
  expect(stage.requests.filter((one) => one.includes('PATCH Service'))).toHaveLength(1)
})

test('[M2.2] whoever is of another class now is let go, whatever its status shows', async () => {
  const stage = newStage(service({ name: 's0' }))
  await stage.lead()
  await stage.rest()
  const before = stage.api.get('Service', 's0') ?? {}
  const spec = { ...(before['spec'] as Json), loadBalancerClass: 'other' }
  stage.api.put({ ...before, spec })
  await stage.rest()
  expect(shown(stage.api)).toEqual({ s0: '10.0.0.0' })
  expect(stage.api.all('Address')).toEqual([])
})

test('[R3.5] the Address of a held address that somebody deletes is written again', async () => {
  const stage = newStage(service({ name: 's0' }))
  await stage.lead()
  await stage.rest()
  stage.api.remove('Address', '10.0.0.0')
  await stage.rest()
  expect(shownOnly(stage.api)).toEqual([])
})

test('[R3.12] a release that fails is tried again, though nothing else happens', async () => {
  const stage = newStage(service({ name: 's0' }))
  const leader = await stage.lead()
  await stage.rest()
  leader.client.cut = /DELETE/
  stage.api.remove('Service', 's0')
  await stage.rest(/wakes/)
  leader.client.cut = undefined
  await stage.rest()
  expect(recordedOnly(stage.api)).toEqual([])
})

test('[P6] a release that fails waits before it is tried again, whatever happens meanwhile', async () => {
  const stage = newStage(service({ name: 's0' }))
  const leader = await stage.lead()
  await stage.rest()
  leader.client.cut = /DELETE/
  stage.api.remove('Service', 's0')
  await stage.rest(/wakes/)
  stage.forget()
  const record = stage.api.get('Address', '10.0.0.0') ?? {}
  stage.api.put({ ...record, metadata: { ...metaOf(record), annotations: { seen: 'it' } } })
  await stage.rest(/wakes/)
  expect(stage.requests).toEqual([])
  leader.client.cut = undefined
  await stage.rest()
  expect(recordedOnly(stage.api)).toEqual([])
})

test('[R3.12] a claim that is completed for another version cannot be removed meanwhile', async () => {
  const stage = newStage(pool('q', ['10.0.1.2/31'], false))
  stage.api.put(service({ name: 's0', annotations: asks('10.0.1.2') }))
  await stage.lead()
  await stage.rest(/PATCH Service/)
  loseForGood(stage.api, 'q')
  await stage.lead()
  await stage.take(/leader 1 PATCH Service/)
  await stage.take(/leader 1 hears yes/)
  // The first does not know yet that the pool is gone; the second is about to remove the record.
  await stage.rest(/sees|leader 1 DELETE/)
  expect(shown(stage.api)).toEqual({ s0: '10.0.1.2' })
  await stage.take(/leader 1 DELETE/)
  expect(shownOnly(stage.api)).toEqual([])
})

test('[R3.12] a claim that was removed from a reservation meanwhile is made again', async () => {
  const stage = newStage(pool('q', ['10.0.1.2/31'], false), {
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'Address',
    metadata: { name: '10.0.1.2' },
    spec: { address: '10.0.1.2', reservedFor: { namespace: 'a', name: 's0' } },
  })
  stage.api.put(service({ name: 's0', annotations: asks('10.0.1.2') }))
  await stage.lead()
  await stage.rest(/PATCH Service/)
  loseForGood(stage.api, 'q')
  await stage.lead()
  await stage.take(/leader 1 PATCH Service/)
  await stage.take(/leader 1 hears yes/)
  await stage.rest(/sees|PATCH Address/)
  await stage.take(/leader 1 PATCH Address/)
  await stage.rest(/sees|leader 1|PATCH Service/)
  await stage.take(/leader 0 PATCH Service/)
  expect(shown(stage.api)).toEqual({ s0: '10.0.1.2' })
  expect(shownOnly(stage.api)).toEqual([])
})

test('[R3.11] ports are recorded as the Service has them, not as a late watch told', async () => {
  const stage = newStage(service({ name: 's0', annotations: shares }))
  await stage.lead()
  await stage.lead()
  await stage.rest()
  for (const port of [81, 82]) edit(stage.api, { name: 's0', annotations: shares, port })
  await stage.rest(/leader 0/)
  stage.forget()
  await stage.take(/leader 0 sees apply Address/)
  await stage.take(/leader 0 sees apply Service/)
  await stage.rest(/sees/)
  expect(stage.requests).not.toContain('PATCH Address 10.0.0.0')
})

test('[R3.12] the claim of a Service that is not known yet is not removed', async () => {
  const stage = newStage()
  await stage.lead()
  stage.api.put(service({ name: 's0' }))
  await stage.lead()
  await stage.rest(/leader 0|PATCH Service/)
  await stage.take(/leader 0 sees apply Address/)
  await stage.rest(/sees|leader 1/)
  expect(stage.requests).not.toContain('DELETE Address 10.0.0.0')
  await stage.rest()
  expect(shown(stage.api)).toEqual({ s0: '10.0.0.0' })
})
