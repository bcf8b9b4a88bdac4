// Can a component use the configuration? Said in its ConfigurationState (M1.9), written when the
// answer changes, and made again when somebody deletes it.
import type { Api } from '../api/client.ts'
import { isNotFound } from '../api/notFound.ts'
import { pathOf } from '../api/resource.ts'
import { Fields } from '../decode/fields.ts'
import { resourceOf, typeOf } from '../kinds.ts'

/** As MetalLB names its parts. */
type Component = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly condition: string
}

type StateParts = {
  readonly api: Api
  readonly component: Component
  readonly namespace: string
  readonly timestamp: () => string
  /** Ours; with it goes what it says, as in MetalLB. */
  readonly pod: Pod | undefined
}
export type Pod = { readonly name: string; readonly uid: string }
export type StateNews = {
  /** One line for each object that does not count; undefined while that is not known yet. */
  readonly complaints: readonly string[] | undefined
  /** The part of MetalLB that runs in our place: the object is its own, and we only add a word. */
  readonly waitsFor: string | undefined
}

export const controllerState: Component = {
  name: 'controller',
  labels: { 'metallb.io/component-type': 'controller' },
  condition: 'poolReconcilerValid',
}

export const speakerState = (node: string): Component => ({
  name: `speaker-${node}`,
  labels: { 'metallb.io/component-type': 'speaker', 'metallb.io/node-name': node },
  condition: 'configReconcilerValid',
})

const waitingType = 'berth.dev/WaitsForMetalLB'
const states = resourceOf('ConfigurationState')
const kind = typeOf('ConfigurationState')
const mergePatch = 'application/merge-patch+json'
/** Rounds after which we look whether it is still there. */
const lookEvery = 30

export class ConfigurationState {
  readonly #parts: StateParts
  readonly #path: string
  #reported = ''
  #rounds = 0

  constructor(parts: StateParts) {
    this.#parts = parts
    this.#path = pathOf({ ...states, namespace: parts.namespace }, parts.component.name)
  }

  async report({ complaints, waitsFor }: StateNews): Promise<void> {
    const news = waitsFor ?? complaints
    if (news === undefined) return
    const text = JSON.stringify(news)
    const isDue = this.#rounds++ % lookEvery === 0
    if (text === this.#reported && !isDue) return
    this.#reported = ''
    const there = new Fields(await this.#readOrMake(), [])
    if (typeof news === 'string') await this.#wait(there, news)
    else await this.#report(await this.#own(there), news)
    this.#reported = text
  }

  async #wait(there: Fields, message: string): Promise<void> {
    const { api, component, namespace, timestamp } = this.#parts
    const known = conditionIn(there, waitingType)
    if (known?.text('message') === message) return
    const since = known?.text('lastTransitionTime') ?? timestamp()
    const reason = { status: 'True', reason: 'MetalLBRuns', message }
    const conditions = [{ type: waitingType, ...reason, lastTransitionTime: since }]
    const metadata = { name: component.name, namespace }
    await api.call({
      method: 'PATCH',
      path: `${this.#path}/status`,
      query: { fieldManager: 'berth', force: 'true' },
      contentType: 'application/apply-patch+yaml',
      body: { ...kind, metadata, status: { conditions } },
    })
  }

  async #report(there: Fields, complaints: readonly string[]): Promise<void> {
    const { api, component, timestamp } = this.#parts
    const before = there.inner('status')
    const known = conditionIn(there, component.condition)
    const wanted = statusOf(component.condition, complaints)
    const isSame =
      before.text('result') === wanted.result &&
      before.text('errorSummary') === wanted.errorSummary &&
      known?.text('status') === wanted.condition.status &&
      known.text('message') === wanted.condition.message &&
      conditionIn(there, waitingType) === undefined
    if (isSame) return
    const isTransition = known?.text('status') !== wanted.condition.status
    const since = isTransition ? timestamp() : known.text('lastTransitionTime')
    const { result, errorSummary, condition } = wanted
    const conditions = [{ ...condition, lastTransitionTime: since }]
    const body = { metadata: versionOf(there), status: { result, errorSummary, conditions } }
    await api.call({ method: 'PATCH', path: `${this.#path}/status`, contentType: mergePatch, body })
  }

  /** Whoever leads is the owner: when the pod is gone, so is what it said. */
  async #own(there: Fields): Promise<Fields> {
    const { api, pod } = this.#parts
    if (pod === undefined) return there
    const owners = there.inner('metadata').each('ownerReferences')
    if (owners.length === 1 && owners[0]?.text('uid') === pod.uid) return there
    const body = { metadata: { ...versionOf(there), ownerReferences: [ownerOf(pod)] } }
    const path = this.#path
    const after = await api.call({ method: 'PATCH', path, contentType: mergePatch, body })
    return new Fields(after, [])
  }

  async #readOrMake(): Promise<unknown> {
    const { api, component, namespace, pod } = this.#parts
    try {
      return await api.call({ method: 'GET', path: this.#path })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
    const { name, labels } = component
    const owned = pod === undefined ? {} : { ownerReferences: [ownerOf(pod)] }
    const body = { ...kind, metadata: { name, namespace, labels, ...owned } }
    const collection = pathOf({ ...states, namespace })
    return api.call({ method: 'POST', path: collection, body })
  }
}

const conditionIn = (there: Fields, type: string): Fields | undefined =>
  there
    .inner('status')
    .each('conditions')
    .find((one) => one.text('type') === type)

function versionOf(there: Fields): { uid: string; resourceVersion: string } {
  const metadata = there.inner('metadata')
  return { uid: metadata.text('uid'), resourceVersion: metadata.text('resourceVersion') }
}

const ownerOf = (pod: Pod) => ({ ...typeOf('Pod'), ...pod })

function statusOf(type: string, complaints: readonly string[]) {
  const isValid = complaints.length === 0
  const message = isValid ? '' : `configuration error: ${complaints.join('\n')}`.slice(0, 32_768)
  return {
    result: isValid ? 'Valid' : 'Invalid',
    errorSummary: message,
    condition: {
      type,
      status: isValid ? 'True' : 'False',
      reason: isValid ? 'Reconciled' : 'ConfigurationError',
      message,
    },
  }
}
