// Who creates the EndpointSlices of Services that select the lab's pods? Kubernetes' own controller
// if it runs; on the embedded API, this program.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import type { Io } from '../../cli/io.ts'
import type { Machine } from '../machine.ts'
import { follow } from './follow.ts'
import { apiAt, put, services } from './labApi.ts'
import { slicesOf } from './slices.ts'
import { untilEnded } from './waits.ts'

type EndpointsOptions = { readonly nodes: readonly Machine[]; readonly kubeconfig: string }

export async function runEndpoints({ nodes, kubeconfig }: EndpointsOptions, io: Io): Promise<void> {
  const api = await apiAt(kubeconfig)
  const written = new Map<string, string>()
  const { signal, err } = io
  const changed = (key: string): void => {
    const service = known.objects.get(key)
    const slices = service === undefined ? [] : slicesOf(service, nodes)
    const text = JSON.stringify(slices)
    if (slices.length === 0) written.delete(key)
    if (slices.length === 0 || written.get(key) === text) return
    written.set(key, text)
    write(api, slices).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error
      err(`endpoints of ${key}: ${error.message}\n`)
      written.delete(key)
      setTimeout(() => changed(key), retryMs).unref()
    })
  }
  const known = follow(api, services, { signal, changed })
  await untilEnded(signal)
  api.close()
}

const retryMs = 1000

async function write(api: Api, slices: readonly JsonObject[]): Promise<void> {
  await Promise.all(slices.map((slice) => put(api, slice)))
}
