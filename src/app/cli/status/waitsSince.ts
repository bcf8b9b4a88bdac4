// Since when does a Service wait? Its condition records when it was first refused.
import type { WaitsSince } from '../../../core/policy/status/clusterStatus.ts'
import { berth } from '../../../edge/kube/annotations.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import type { Loaded } from '../load.ts'

export const waitsSince =
  ({ manifests }: Pick<Loaded, 'manifests'>): WaitsSince =>
  (service) => {
    const json = manifests.get(`Service/${service}`)?.json
    const conditions = new Fields(json, []).inner('status').each('conditions')
    const refused = conditions.find(
      (one) => one.text('type') === berth.addressed && one.text('status') === 'False',
    )
    return refused?.text('lastTransitionTime') || undefined
  }
