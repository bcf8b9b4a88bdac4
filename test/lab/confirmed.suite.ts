// What if somebody writes an address into a Service's status while no controller leads? Speakers
// begin to announce only what an Address records, and go on when the record is deleted.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { labNamed, ownerOf, ownersOf } from './namespaces.ts'
import { apply, pool, remove, service, servicePath, type Written } from './objects.ts'

const lab = labNamed(inject('lab'))
const lease = '/apis/coordination.k8s.io/v1/namespaces/metallb-system/leases/berth-controller'
const addressesPath = '/apis/berth.dev/v1alpha1/addresses'
const reportsPath = '/apis/berth.dev/v1alpha1/nodeinterfaces'
const addressPath = (ip: string): string => `${addressesPath}/${ip}`
const [given, later, stolen] = ['10.10.104.7', '10.10.104.8', '10.10.104.9']

type Service = {
  readonly metadata: { readonly uid: string }
  readonly status: { readonly loadBalancer: { readonly ingress?: readonly { ip: string }[] } }
}
const serviceNow = (name: string): Service =>
  lab.ask('control', ['get', servicePath(name)]) as Service

/** Another holder of the Lease, who does nothing: the controller stops within two seconds. */
async function leaderLeaves(): Promise<void> {
  renew()
  await sleep(3_000)
}

/** So that the controller does not come back yet. */
function renew(): void {
  const type = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }
  const metadata = { name: 'berth-controller', namespace: 'metallb-system' }
  const renewTime = new Date().toISOString().replace('Z', '000Z')
  const spec = { holderIdentity: 'nobody', leaseDurationSeconds: 15, renewTime }
  apply(lab, [{ path: lease, body: { ...type, metadata, spec } }])
}

const shows = (name: string, ip: string): Written => ({
  path: `${servicePath(name)}/status`,
  body: {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'default' } },
    status: { loadBalancer: { ingress: [{ ip }] } },
  },
})

function record(name: string, ip: string): Written {
  const { uid } = serviceNow(name).metadata
  const holder = {
    kind: 'Service',
    namespace: 'default',
    name,
    uid,
    ports: ['TCP/80'],
    backend: '',
  }
  const labels = { 'app.kubernetes.io/managed-by': 'berth' }
  const type = { apiVersion: 'berth.dev/v1alpha1', kind: 'Address', metadata: { name: ip, labels } }
  const spec = { address: ip, pool: 'confirmed', sharingKey: '', holders: [holder] }
  return { path: addressPath(ip), body: { ...type, spec } }
}

describe.skipIf(inject('lab') === '')('confirmed', () => {
  const services = ['given', 'later', 'stolen'].map((name) => service({ name }))
  const kept = { apiVersion: 'berth.dev/v1alpha1', kind: 'Address', metadata: { name: stolen } }
  const reservation = { path: addressPath(stolen), body: { ...kept, spec: { address: stolen } } }
  const ground = [...pool({ name: 'confirmed', addresses: '10.10.104.0/24' }), reservation]
  afterAll(() => remove(lab, [...services, ...ground.toReversed()]))

  test('[R8.13] an address that nobody gave is not answered, one that was given is', async () => {
    apply(lab, ground)
    await leaderLeaves()
    apply(lab, services)
    apply(lab, [shows('stolen', stolen)])
    apply(lab, [record('given', given)])
    apply(lab, [shows('given', given)])
    // Speakers heard of the first before they heard of the second.
    await ownerOf(lab, given)
    expect(ownersOf(lab, stolen)).toEqual([])
  })

  test('[R8.13] what is announced stays when its Address is deleted', async () => {
    await leaderLeaves()
    remove(lab, [{ path: addressPath(given), body: {} }])
    apply(lab, [record('later', later)])
    apply(lab, [shows('later', later)])
    await ownerOf(lab, later)
    await ownerOf(lab, given)
  })

  test('[R3.15] the controller that comes back takes away what may not be had', async () => {
    await until('it is taken away', () => {
      const { ingress = [] } = serviceNow('stolen').status.loadBalancer
      return ingress.some(({ ip }) => ip === stolen) ? undefined : true
    })
    expect(ownersOf(lab, stolen)).toEqual([])
    const recorded = () => JSON.stringify(lab.ask('control', ['get', addressesPath]))
    await until('its record is back', () => recorded().includes(`"${given}"`) || undefined)
    await ownerOf(lab, given)
  })

  test('[R8.13] a node says what it holds back', async () => {
    await leaderLeaves()
    apply(lab, [shows('stolen', stolen)])
    const said = () => JSON.stringify(lab.ask('control', ['get', reportsPath]))
    await until('it is said', () => {
      renew()
      return said().includes('address-not-recorded') || undefined
    })
    expect(said()).toContain(`its status shows ${stolen}, which no Address records for it`)
    await until('the controller takes it away', () => {
      return said().includes('address-not-recorded') ? undefined : true
    })
  })
})
