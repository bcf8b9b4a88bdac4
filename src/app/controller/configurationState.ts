// Can the controller use the configuration? Said in the ConfigurationState `controller` (M1.9),
// written when the answer changes, and made again when somebody deletes it.
import type { Api } from '../../edge/kube/api/client.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
import { pathOf, type Resource } from '../../edge/kube/api/resource.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'

export type StateParts = {
  readonly api: Api
  readonly namespace: string
  readonly timestamp: () => string
}

const conditionType = 'poolReconcilerValid'
const states: Resource = { group: 'metallb.io', version: 'v1beta1', plural: 'configurationstates' }
/** Rounds after which we look whether it is still there. */
const lookEvery = 30

export class ConfigurationState {
  readonly #parts: StateParts
  #reported = ''
  #rounds = 0

  constructor(parts: StateParts) {
    this.#parts = parts
  }

  /** One line for each object that does not count; undefined while that is not known yet. */
  async report(complaints: readonly string[] | undefined): Promise<void> {
    if (complaints === undefined) return
    const text = complaints.join('\n')
    const isDue = this.#rounds++ % lookEvery === 0
    if (text === this.#reported && !isDue) return
    this.#reported = ''
    await this.#write(complaints)
    this.#reported = text
  }

  async #write(complaints: readonly string[]): Promise<void> {
    const { api, namespace, timestamp } = this.#parts
    const path = pathOf(states, 'controller', undefined, namespace)
    const there = new Fields(await this.#readOrMake(path), [])
    const before = there.inner('status')
    const known = before.each('conditions').find((one) => one.text('type') === conditionType)
    const wanted = statusOf(complaints)
    const isSame =
      before.text('result') === wanted.result &&
      before.text('errorSummary') === wanted.errorSummary &&
      known?.text('status') === wanted.condition.status &&
      known.text('message') === wanted.condition.message
    if (isSame) return
    const isTransition = known?.text('status') !== wanted.condition.status
    const since = isTransition ? timestamp() : known.text('lastTransitionTime')
    const { result, errorSummary, condition } = wanted
    const conditions = [{ ...condition, lastTransitionTime: since }]
    const metadata = there.inner('metadata')
    await api.call({
      method: 'PATCH',
      path: `${path}/status`,
      contentType: 'application/merge-patch+json',
      body: {
        metadata: { uid: metadata.text('uid'), resourceVersion: metadata.text('resourceVersion') },
        status: { result, errorSummary, conditions },
      },
    })
  }

  async #readOrMake(path: string): Promise<unknown> {
    const { api, namespace } = this.#parts
    try {
      return await api.call({ method: 'GET', path })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 404) throw error
    }
    const labels = { 'metallb.io/component-type': 'controller' }
    const body = {
      apiVersion: 'metallb.io/v1beta1',
      kind: 'ConfigurationState',
      metadata: { name: 'controller', namespace, labels },
    }
    const collection = pathOf(states, undefined, undefined, namespace)
    return api.call({ method: 'POST', path: collection, body })
  }
}

function statusOf(complaints: readonly string[]) {
  const isValid = complaints.length === 0
  const message = isValid ? '' : `configuration error: ${complaints.join('\n')}`.slice(0, 32_768)
  return {
    result: isValid ? 'Valid' : 'Invalid',
    errorSummary: message,
    condition: {
      type: conditionType,
      status: isValid ? 'True' : 'False',
      reason: isValid ? 'Reconciled' : 'ConfigurationError',
      message,
    },
  }
}
