// Does a MetalLB controller serve the same Services? While one is up nothing is written: two that
// give addresses do not see each other's decisions.
import type { Settings } from '../../core/model/world.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { ApiError, type Fault } from '../../edge/kube/api/fault.ts'
import type { Resource } from '../../edge/kube/api/resource.ts'
import { type WatchStep, watch } from '../../edge/kube/api/watch.ts'
import { metaOf } from '../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { metallbController } from '../../edge/kube/decode/metallbController.ts'

export type BesideParts = {
  readonly api: Api
  readonly settings: Settings
  readonly clock: Clock
  readonly random: () => number
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** Called when it begins or ends. */
  readonly changed: () => void
}

export class BesideMetallb {
  readonly #parts: BesideParts
  readonly #deployments: Resource
  /** Where we were never let look we write all the same. */
  #seen: 'nothing' | 'refused' | 'listed' = 'nothing'
  #up = new Set<string>()
  #listing = new Set<string>()
  #said: string | undefined
  #isRefusalSaid = false

  constructor(parts: BesideParts) {
    this.#parts = parts
    const namespace = parts.settings.ownNamespace
    this.#deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespace }
  }

  /** Nobody else is up, as far as we may know; false until we have looked. */
  get isAlone(): boolean {
    return this.#seen !== 'nothing' && this.#up.size === 0
  }

  /** Whom we wait for, in words; undefined when nobody is up. */
  get waitsFor(): string | undefined {
    if (this.#up.size === 0) return undefined
    const { ownNamespace, loadBalancerClass } = this.#parts.settings
    const served = loadBalancerClass === '' ? 'without a class' : `of class ${loadBalancerClass}`
    const names = [...this.#up].sort().map((name) => `Deployment ${ownNamespace}/${name}`)
    const who = `MetalLB (${names.join(', ')})`
    return `${who} serves Services ${served}: nothing is written until it stops`
  }

  async run(signal: AbortSignal): Promise<void> {
    const { api, clock, random } = this.#parts
    for await (const step of watch(api, this.#deployments, { signal, clock, random })) {
      const wasAlone = this.isAlone
      this.#take(step)
      this.#tell()
      if (this.isAlone !== wasAlone) this.#parts.changed()
    }
  }

  #take(step: WatchStep): void {
    if (step.type === 'init') this.#listing = new Set()
    else if (step.type === 'init-apply') this.#note(step.json, this.#listing)
    else if (step.type === 'fault') this.#fail(step.fault)
    else this.#see(step)
  }

  #see(step: Exclude<WatchStep, { type: 'init' | 'init-apply' | 'fault' }>): void {
    this.#isRefusalSaid = false
    if (step.type === 'apply') this.#note(step.json, this.#up)
    else if (step.type === 'delete') this.#up.delete(metaOf(new Fields(step.json, [])).name)
    else {
      this.#seen = 'listed'
      this.#up = this.#listing
    }
  }

  /**
   * Not for us to see, or not served here. Once listed, that takes nothing back: an API server also
   * refuses everybody for a moment after its start, until it has read who may do what.
   */
  #fail(fault: Fault): void {
    const isRefused = fault instanceof ApiError && [403, 404].includes(fault.code)
    if (!isRefused) return
    if (this.#seen === 'nothing') this.#seen = 'refused'
    if (this.#isRefusalSaid) return
    this.#isRefusalSaid = true
    const isUnseen = this.#seen === 'refused'
    const unknown = `whether MetalLB's controller ${isUnseen ? 'runs' : 'still runs'} is not known`
    const message = `${unknown}${isUnseen ? '' : ', what was seen last counts'}: ${fault.message}`
    // Where no Deployments are served there is none of MetalLB's.
    const level = isUnseen && fault.code === 404 ? 'info' : 'warn'
    this.#parts.log({ level, object: 'MetalLB', message })
  }

  #note(json: unknown, up: Set<string>): void {
    const deployment = new Fields(json, [])
    const controller = metallbController(deployment)
    const { loadBalancerClass } = this.#parts.settings
    const isRival = controller?.isUp === true && controller.loadBalancerClass === loadBalancerClass
    if (isRival) up.add(controller.name)
    else up.delete(metaOf(deployment).name)
  }

  /** Once for each change. */
  #tell(): void {
    const { log } = this.#parts
    const { waitsFor } = this
    if (waitsFor === this.#said) return
    this.#said = waitsFor
    if (waitsFor !== undefined) log({ level: 'warn', object: 'MetalLB', message: waitsFor })
    else log({ level: 'info', object: 'MetalLB', message: 'its controller is gone: we go on' })
  }
}
