// Does carrying a renumbering out stop where it is told to, and say how to go on?
import { expect, test } from 'vitest'
import { folderOf, nowhere } from '../../../../test/build/terminal.ts'
import { type Json, recordAt } from '../../../core/model/json.ts'
import type { Cluster } from '../../../core/sim/cluster.ts'
import { rehearse } from '../../../core/sim/renumber/rehearse.ts'
import { renumberPhases } from '../../../core/sim/renumber/renumberPhases.ts'
import { shiftOf } from '../../../core/sim/renumber/shift.ts'
import type { Api, ApiRequest } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { kinds } from '../../../edge/kube/kinds.ts'
import { mergePatch } from '../../../edge/store/patch/mergePatch.ts'
import { load, newSession } from '../load.ts'
import { carryOut } from './carryOut.ts'

const text = `---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: lan, namespace: metallb-system}
spec: {addresses: [172.17.0.80-172.17.0.90]}
---
apiVersion: v1
kind: Service
metadata: {name: a, namespace: web}
spec: {type: LoadBalancer, ports: [{port: 80}]}
`

async function clusterOf(manifests = text): Promise<Cluster> {
  const session = await newSession(nowhere, {
    ownNamespace: 'metallb-system',
    loadBalancerClass: '',
  })
  await load(session, { files: [folderOf({ 'all.yaml': manifests })], kustomized: [] })
  session.cluster.settle()
  return session.cluster
}

const idOf = (path: string): string => {
  const parts = path.split('/')
  const row = kinds.find(({ plural }) => parts.includes(plural) && plural !== 'namespaces')
  const { kind, plural = '' } = row ?? {}
  const at = parts.indexOf(plural)
  const namespace = parts[at - 2] === 'namespaces' ? [parts[at - 1]] : []
  return [kind, ...namespace, ...parts.slice(at + 1)].join('/')
}

/** The simulated cluster, served; `onWrite` hears of every write and list before it is made. */
function served(cluster: Cluster, onWrite: (id: string) => void): Api {
  const call = async ({ method, path, body, signal }: ApiRequest): Promise<unknown> => {
    const id = idOf(path)
    const there = cluster.get(id)
    if (method === 'GET' && id === 'Service') {
      onWrite(id)
      signal?.throwIfAborted()
      const ids = cluster.ids().filter((one) => one.startsWith('Service/'))
      const list = { apiVersion: 'v1', kind: 'ServiceList', metadata: { resourceVersion: '1' } }
      return [Buffer.from(JSON.stringify({ ...list, items: ids.map((one) => cluster.get(one)) }))]
    }
    if (there === undefined && method !== 'POST') throw refusal(404)
    if (method === 'GET') return structuredClone(there)
    onWrite(id)
    const { status: _, ...before } = there ?? {}
    const patched = method === 'PATCH' ? mergePatch(before as never, body) : undefined
    if (method === 'DELETE') cluster.delete(id)
    else cluster.apply((patched?.ok ? patched.value : body) as never)
    cluster.settle()
    return {}
  }
  return { call, stream: () => neverRead(), close: () => undefined }
}

async function* neverRead(): AsyncGenerator<string> {
  yield ''
}

const refusal = (code: number): ApiError =>
  new ApiError({
    ...{ request: 'PATCH', code, reason: '', message: 'no', status: {}, retryAfterMs: undefined },
  })

async function apply(cluster: Cluster, onWrite: (id: string, stop: () => void) => void) {
  const shift = shiftOf('172.17.0.0/24', '172.27.0.0/24')
  if (!shift.ok) throw new Error(shift.why)
  const copy = await newSession(nowhere, { ownNamespace: 'metallb-system', loadBalancerClass: '' })
  for (const id of cluster.ids()) copy.cluster.hold(structuredClone(cluster.get(id)) as never)
  copy.cluster.settle()
  const { phases, targets, left } = renumberPhases(copy.cluster, shift.value)
  const rehearsal = rehearse(copy.cluster, phases, targets)
  const stopping = new AbortController()
  let said = ''
  const io = { ...nowhere, signal: stopping.signal, err: (one: string) => (said += one) }
  const api = served(cluster, (id) => onWrite(id, () => stopping.abort()))
  const isDone = await carryOut(api, { shift: shift.value, phases, left, rehearsal }, io)
  return { isDone, said }
}

const shownBy = (cluster: Cluster): unknown =>
  recordAt(recordAt(cluster.get('Service/web/a'), 'status'), 'loadBalancer')['ingress']

test('[R15.5] Ctrl-C stops between two writes, wherever; the same command goes on', async () => {
  const written: string[] = []
  const whole = await clusterOf()
  expect(await apply(whole, (id) => written.push(id))).toMatchObject({ isDone: true })
  expect(written.length).toBeGreaterThan(4)
  for (let count = 1; count < written.length; count++) {
    const cluster = await clusterOf()
    let writes = 0
    const { isDone, said } = await apply(cluster, (_, stop) => {
      if (++writes === count) stop()
    })
    expect([isDone, writes, said.includes('interrupted')]).toEqual([false, count, true])
    expect(await apply(cluster, () => undefined)).toMatchObject({ isDone: true })
    expect(shownBy(cluster)).toMatchObject([{ ip: '172.27.0.80' }])
    expect(JSON.stringify(cluster.ids().map((id) => cluster.get(id)))).not.toMatch(/renumbering/)
  }
})

test('[R15.5] a write that the API refuses: which step and object', async () => {
  const { isDone, said } = await apply(await clusterOf(), (id) => {
    if (id.startsWith('IPAddressPool/')) throw refusal(403)
  })
  expect(isDone).toBe(false)
  expect(said).toContain("stopped at 'Add the new ranges', IPAddressPool/metallb-system/lan: ")
})

test('[R15.5] what somebody adds meanwhile stays', async () => {
  const cluster = await clusterOf()
  const pool = 'IPAddressPool/metallb-system/lan'
  const ranges = (): Json => recordAt(cluster.get(pool), 'spec')
  const stopped = await apply(cluster, (id, stop) => {
    if (id === 'Service/web/a') stop()
  })
  expect(stopped.isDone).toBe(false)
  const { status: _, ...json } = cluster.get(pool) ?? {}
  const addresses = [...(ranges()['addresses'] as string[]), '192.0.2.0/28']
  cluster.apply({ ...json, spec: { ...ranges(), addresses } } as never)
  expect(await apply(cluster, () => undefined)).toMatchObject({ isDone: true })
  expect(ranges()['addresses']).toEqual(['172.27.0.80-172.27.0.90', '192.0.2.0/28'])
})

test('[R15.5] who gets an old address meanwhile keeps it until the next run', async () => {
  const cluster = await clusterOf()
  let isLate = true
  const { isDone, said } = await apply(cluster, (id) => {
    if (id !== 'Service/web/a' || !isLate) return
    isLate = false
    cluster.apply({
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'late', namespace: 'web' } },
      spec: { type: 'LoadBalancer', ports: [{ port: 81 }] },
    } as never)
  })
  expect(isDone).toBe(false)
  expect(said).toContain('Service web/late got 172.17.0.81 after the plan was made')
  expect(await apply(cluster, () => undefined)).toMatchObject({ isDone: true })
})

const plane = `---
apiVersion: core.openstack.org/v1beta1
kind: OpenStackControlPlane
metadata: {name: controlplane, namespace: web}
spec:
  secret: osp-secret
  storageClass: local
  keystone:
    template:
      override:
        service:
          internal:
            metadata: {annotations: {metallb.universe.tf/loadBalancerIPs: 172.17.0.85}}
            spec: {type: LoadBalancer}
`
const keystone = `---
apiVersion: v1
kind: Service
metadata:
  name: keystone-internal
  namespace: web
  annotations: {metallb.universe.tf/loadBalancerIPs: 172.17.0.85}
spec: {type: LoadBalancer, ports: [{port: 5000}]}
`
const older = 'metallb.universe.tf/loadBalancerIPs'
const path = ['spec', 'keystone', 'template', 'override', 'service', 'internal', 'metadata']

/** What the control plane says, under the key that operators write. */
function reconcile(cluster: Cluster): void {
  const service = 'Service/web/keystone-internal'
  const { status: _, ...json } = cluster.get(service) ?? {}
  let said: Json = cluster.get('OpenStackControlPlane/web/controlplane') ?? {}
  for (const field of path) said = recordAt(said, field)
  const metadata = recordAt(json, 'metadata')
  const wanted = recordAt(said, 'annotations')[older]
  const annotations = { ...recordAt(metadata, 'annotations'), [older]: wanted }
  if (recordAt(metadata, 'annotations')[older] === wanted) return
  cluster.apply({ ...json, metadata: { ...metadata, annotations } } as never)
  cluster.settle()
}

test('[R15.2] an operator that reconciles before every write moves its Service no second time', async () => {
  const cluster = await clusterOf(text + plane + keystone)
  const shown = (): string =>
    JSON.stringify(recordAt(cluster.get('Service/web/keystone-internal'), 'status')).replace(
      /.*"ip":"([^"]*)".*/,
      '$1',
    )
  const history: string[] = []
  const look = (): void => {
    reconcile(cluster)
    if (history.at(-1) !== shown()) history.push(shown())
  }
  const { isDone, said } = await apply(cluster, look)
  look()
  expect(isDone, said).toBe(true)
  expect(history).toEqual(['172.17.0.85', '172.27.0.85'])
})
