// What does the API say of one kind? Watch steps become changes of the World; what cannot be read
// is inert, and a list that is read anew swaps the kind whole.
import { type Kind, keyOf } from '../../core/model/view.ts'
import type { World } from '../../core/model/world.ts'
import type { Fault } from '../../edge/kube/api/fault.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
import type { WatchStep } from '../../edge/kube/api/watch.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import type { Versions } from './versions.ts'

export type Feeding = {
  readonly kind: Kind
  /** A kind of a group that need not be installed: when it is missing there is nothing of it. */
  readonly isOptional: boolean
  readonly world: World
  readonly versions: Versions
}

export class Feed {
  readonly #feeding: Feeding
  #listing: Set<string> | undefined
  #isIn = false
  #fault: Fault | undefined

  constructor(feeding: Feeding) {
    this.#feeding = feeding
  }

  /** Whether everything of this kind is known; while it is not, nothing may be decided (R3.13). */
  get isIn(): boolean {
    return this.#isIn
  }

  /** Why it is not, once that is known. */
  get fault(): Fault | undefined {
    return this.#fault
  }

  take(step: WatchStep): void {
    if (step.type === 'init') this.#listing = new Set()
    else if (step.type === 'init-done') this.#done()
    else if (step.type === 'fault') this.#failed(step.fault)
    else if (step.type === 'delete') this.#drop(step.json)
    else this.#apply(step.json)
  }

  #apply(json: unknown): void {
    const { world, versions } = this.#feeding
    const decoded = decode(json)
    if (decoded.kind !== 'view') {
      this.#drop(json)
      return
    }
    const { view } = decoded
    this.#listing?.add(keyOf(view))
    if (versions.isNews(view, json)) world.apply({ type: 'upsert', view })
  }

  #drop(json: unknown): void {
    const { world, kind, versions } = this.#feeding
    const decoded = decode(json)
    const metadata = new Fields(json, []).inner('metadata')
    const [namespace, name] = [metadata.text('namespace'), metadata.text('name')]
    const key = decoded.kind === 'view' ? keyOf(decoded.view) : `${namespace}/${name}`
    const known = world.all(kind).has(key) ? key : name
    versions.forget(kind, known)
    world.apply({ type: 'delete', kind, key: known })
  }

  #done(): void {
    const { world, kind } = this.#feeding
    for (const key of [...world.all(kind).keys()]) {
      if (this.#listing?.has(key) === false) world.apply({ type: 'delete', kind, key })
    }
    this.#listing = undefined
    this.#isIn = true
    this.#fault = undefined
  }

  /** A kind that is not served is known to be empty where that is allowed, else it freezes us. */
  #failed(fault: Fault): void {
    const isMissing = fault instanceof ApiError && fault.code === 404
    this.#fault = fault
    if (isMissing) this.#isIn = this.#feeding.isOptional
  }
}
