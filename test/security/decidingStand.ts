// A controller on the embedded API, for attempts on what it decides.
import { onTestFinished } from 'vitest'
import { embeddedTargets } from '../../src/app/up/scenarioTargets.ts'
import type { JsonObject } from '../../src/core/model/gate.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import { Fields } from '../../src/edge/kube/decode/fields.ts'
import { type KindName, resourceOf } from '../../src/edge/kube/kinds.ts'
import { until } from '../kube/waits.ts'

export const berth = 'berth.dev/v1alpha1'
export const tenant = (name: string, net: string, quota?: number): JsonObject => ({
  ...{ apiVersion: berth, kind: 'Tenant', metadata: { name } },
  spec: {
    namespaces: { names: [name] },
    ...(quota === undefined ? {} : { quota: { addresses: quota } }),
    networks: [{ name: 'edge', cidrs: [`${net}.0/24`], loadBalancer: [`${net}.80-${net}.90`] }],
  },
})
export const service = (namespace: string, name: string, key = ''): JsonObject => ({
  ...{ apiVersion: 'v1', kind: 'Service' },
  metadata: {
    ...{ name, namespace },
    annotations: key === '' ? {} : { 'metallb.io/allow-shared-ip': key },
  },
  spec: { type: 'LoadBalancer', ports: [{ port: key === '' ? 80 : 8000 + name.length }] },
})

const pathTo = (json: JsonObject, ...more: readonly string[]): string => {
  const metadata = new Fields(json, []).inner('metadata')
  const namespace = metadata.text('namespace')
  const resource = resourceOf(json['kind'] as KindName, namespace === '' ? undefined : namespace)
  return pathOf(resource, ...more)
}

export async function decidingStand() {
  const targets = embeddedTargets(() => undefined)
  onTestFinished(() => targets.close())
  const target = await targets.get({ bgpMode: 'native', isSingleStack: false }, 0)
  if (target === undefined) throw new Error('no target')
  const { api, controller, progress } = target
  const quiet = () =>
    until('the controller is done', async () => (await progress()).isQuiet || undefined)
  const nameOf = (json: JsonObject) => new Fields(json, []).inner('metadata').text('name')
  return {
    make: (body: JsonObject) => api.call({ method: 'POST', path: pathTo(body), body }),
    write: (json: JsonObject, status: object) =>
      api.call({
        ...{ method: 'PATCH', path: pathTo(json, nameOf(json), 'status') },
        ...{ contentType: 'application/merge-patch+json', body: { status } },
      }),
    async away(act: () => Promise<void>) {
      await controller?.stop()
      await act()
      await controller?.start()
      await quiet()
    },
    quiet,
    async shown(json: JsonObject) {
      const now = await api.call({ method: 'GET', path: pathTo(json, nameOf(json)) })
      const balancer = new Fields(now, []).inner('status').inner('loadBalancer')
      return balancer.each('ingress').map((one) => one.text('ip'))
    },
  }
}
