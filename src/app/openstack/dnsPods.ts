// Why do pods of DNS servers not start? What their containers say, told in the status of the
// DNSMasq (R13.6): for ten minutes the Deployment itself says only that it goes on.
import { nameServerLabel } from '../../core/model/names/dnsLabels.ts'
import { serverNameLabel } from '../../core/policy/names/madeFromDns.ts'
import { serverName } from '../../core/policy/names/serverService.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
import { type WatchStep, watch } from '../../edge/kube/api/watch.ts'
import { decodeServerPod, type ServerPod } from '../../edge/kube/decode/decodeServerPod.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'
import type { ExtensionParts } from '../../edge/kube/write/extensionParts.ts'

type PodParts = Pick<ExtensionParts, 'api' | 'world' | 'clock' | 'random' | 'log' | 'changed'>

const pods = { ...resourceOf('Pod'), selector: { labelSelector: nameServerLabel } }

export class DnsPods {
  readonly #parts: PodParts
  /** By namespace and name. */
  #pods = new Map<string, ServerPod>()
  /** By server: what the World has heard. */
  readonly #told = new Map<string, string>()
  #isRefused = false

  constructor(parts: PodParts) {
    this.#parts = parts
  }

  async run(signal: AbortSignal): Promise<void> {
    const { api, clock, random } = this.#parts
    let listed = new Map<string, ServerPod>()
    for await (const step of watch(api, pods, { signal, clock, random })) {
      if (step.type === 'init') listed = new Map()
      else if (step.type === 'fault') this.#failed(step)
      else if (step.type === 'init-done') this.#pods = listed
      else take(step, step.type === 'init-apply' ? listed : this.#pods)
      if (step.type !== 'init' && step.type !== 'init-apply') this.#tell()
    }
  }

  /** Where we may not look, the Deployment says what it knows. */
  #failed({ fault }: Extract<WatchStep, { type: 'fault' }>): void {
    if (this.#isRefused || !(fault instanceof ApiError) || fault.code !== 403) return
    this.#isRefused = true
    const message = `why pods of DNS servers do not start is not known: ${fault.message}`
    this.#parts.log({ level: 'warn', object: 'openstack', message })
  }

  #tell(): void {
    const now = this.#troubles()
    const { world, changed } = this.#parts
    for (const key of new Set([...this.#told.keys(), ...now.keys()])) {
      const why = now.get(key) ?? ''
      if (why === (this.#told.get(key) ?? '')) continue
      const [namespace = '', name = ''] = key.split('/')
      const of = { kind: 'Pod', namespace, name: serverName({ name }) }
      if (why === '') this.#told.delete(key)
      else this.#told.set(key, why)
      if (why === '') world.apply({ type: 'written', of })
      else world.apply({ type: 'refused', of, maker: `DNSMasq/${name}`, why })
      changed()
    }
  }

  /** Of each server what the first of its pods says. */
  #troubles(): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    const sorted = [...this.#pods].toSorted(([one], [other]) => (one < other ? -1 : 1))
    for (const [, { namespace, labels, trouble }] of sorted) {
      const key = `${namespace}/${labels[serverNameLabel] ?? ''}`
      if (trouble !== '' && !found.has(key)) found.set(key, trouble)
    }
    return found
  }
}

function take(step: Extract<WatchStep, { json: unknown }>, into: Map<string, ServerPod>): void {
  const pod = decodeServerPod(new Fields(step.json, []))
  const key = `${pod.namespace}/${pod.name}`
  if (step.type === 'delete') into.delete(key)
  else into.set(key, pod)
}
