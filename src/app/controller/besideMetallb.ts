// Does a MetalLB controller serve the same Services? While one is up nothing is written: two that
// give addresses do not see each other's decisions.
import type { Settings } from '../../core/model/world.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
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

/** Where we may not look we write all the same, and look again from time to time. */
const lookAgainMs = 10_000

export class BesideMetallb {
  readonly #parts: BesideParts
  readonly #deployments: Resource
  #isKnown = false
  #up = new Set<string>()
  #listing = new Set<string>()
  #said: string | undefined
  #refusal = ''

  constructor(parts: BesideParts) {
    this.#parts = parts
    const namespace = parts.settings.ownNamespace
    this.#deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespace }
  }

  /** Nobody else is up, as far as we may know; false until we have looked. */
  get isAlone(): boolean {
    return this.#isKnown && this.#up.size === 0
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
    while (!signal.aborted) {
      for await (const step of watch(api, this.#deployments, { signal, clock, random })) {
        const wasAlone = this.isAlone
        this.#take(step)
        this.#tell()
        if (this.isAlone !== wasAlone) this.#parts.changed()
        if (isRefused(step)) break
      }
      await clock.sleep(lookAgainMs, signal)
    }
  }

  #take(step: WatchStep): void {
    if (step.type === 'init') this.#listing = new Set()
    else if (step.type === 'init-apply') this.#note(step.json, this.#listing)
    else if (step.type === 'init-done') this.#know(this.#listing)
    else if (step.type === 'apply') this.#note(step.json, this.#up)
    else if (step.type === 'delete') this.#up.delete(metaOf(new Fields(step.json, [])).name)
    else if (isRefused(step)) this.#know(new Set(), step.fault)
  }

  #know(up: Set<string>, refusal?: ApiError): void {
    this.#up = up
    this.#isKnown = true
    if (refusal !== undefined && refusal.message !== this.#refusal) {
      const message = `whether MetalLB's controller runs is not known: ${refusal.message}`
      // Where Deployments are not served, as by the embedded API, it cannot run.
      this.#parts.log({ level: refusal.code === 404 ? 'info' : 'warn', object: 'MetalLB', message })
    }
    this.#refusal = refusal?.message ?? ''
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

type Refused = Extract<WatchStep, { type: 'fault' }> & { readonly fault: ApiError }

/** Not for us to see, or not served here. */
const isRefused = (step: WatchStep): step is Refused =>
  step.type === 'fault' && step.fault instanceof ApiError && [403, 404].includes(step.fault.code)
