// Does MetalLB's speaker run on this node? While it does we keep silent: it answers for the same
// addresses, and neither hears of the other.
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { ApiError, type Fault } from '../../edge/kube/api/fault.ts'
import type { Resource } from '../../edge/kube/api/resource.ts'
import { type WatchStep, watch } from '../../edge/kube/api/watch.ts'
import { metaOf } from '../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { isMetallb } from '../../edge/kube/decode/metallbController.ts'

export type BesideParts = {
  readonly api: Api
  readonly namespace: string
  readonly node: string
  readonly clock: Clock
  readonly random: () => number
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly changed: () => void
}

export class BesideSpeaker {
  readonly #parts: BesideParts
  #hasLooked = false
  #up = new Set<string>()
  #listing: Set<string> | undefined
  #said: string | undefined

  constructor(parts: BesideParts) {
    this.#parts = parts
  }

  /** False until we have looked; where we may not look, nobody is there. */
  get isAlone(): boolean {
    return this.#hasLooked && this.#up.size === 0
  }

  get waitsFor(): string | undefined {
    const [pod] = [...this.#up].sort()
    if (pod === undefined) return undefined
    const who = `MetalLB (Pod ${this.#parts.namespace}/${pod})`
    return `${who} announces on this node: nothing is announced until it stops`
  }

  async run(signal: AbortSignal): Promise<void> {
    const { api, namespace, node, clock, random, changed } = this.#parts
    const selector = { fieldSelector: `spec.nodeName=${node}` }
    const pods: Resource = { group: '', version: 'v1', plural: 'pods', namespace, selector }
    for await (const step of watch(api, pods, { signal, clock, random })) {
      const before = this.isAlone
      this.#take(step)
      this.#tell()
      if (this.isAlone !== before) changed()
    }
  }

  #take(step: WatchStep): void {
    if (step.type === 'init') this.#listing = new Set()
    else if (step.type === 'fault') this.#failed(step.fault)
    else if (step.type === 'init-done') {
      this.#up = this.#listing ?? new Set()
      this.#listing = undefined
      this.#hasLooked = true
    } else {
      const pod = new Fields(step.json, [])
      const { name } = metaOf(pod)
      const up = step.type === 'init-apply' ? (this.#listing ?? this.#up) : this.#up
      if (step.type !== 'delete' && this.#answersHere(pod)) up.add(name)
      else up.delete(name)
    }
  }

  #answersHere(pod: Fields): boolean {
    const { labels } = metaOf(pod)
    const parts = [labels['component'], labels['app.kubernetes.io/component']]
    const isOver = ['Succeeded', 'Failed'].includes(pod.inner('status').text('phase'))
    const isHere = pod.inner('spec').text('nodeName') === this.#parts.node
    return isMetallb(pod) && parts.includes('speaker') && isHere && !isOver
  }

  #failed(fault: Fault): void {
    const isRefused = fault instanceof ApiError && [403, 404].includes(fault.code)
    if (!isRefused || this.#hasLooked) return
    this.#hasLooked = true
    const message = `whether MetalLB's speaker runs here is not known: ${fault.message}`
    this.#parts.log({ level: 'warn', object: 'MetalLB', message })
  }

  /** Once for each change. */
  #tell(): void {
    const { log } = this.#parts
    const { waitsFor } = this
    if (waitsFor === this.#said) return
    this.#said = waitsFor
    if (waitsFor !== undefined) log({ level: 'warn', object: 'MetalLB', message: waitsFor })
    else log({ level: 'info', object: 'MetalLB', message: 'its speaker is gone: we go on' })
  }
}
