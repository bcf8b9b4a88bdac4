// Which resources do the containers of a Pod request, and which QoS class follows?
import type { JsonObject } from '../../../../core/model/gate.ts'
import { recordOf, recordsOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'

/** A missing request defaults to the limit. */
export function withRequests(container: JsonObject): JsonObject {
  const { limits, requests, ...rest } = recordOf(container['resources'])
  if (limits === undefined) return container
  const asked = { ...recordOf(limits), ...recordOf(requests) }
  return { ...container, resources: { limits, requests: asked, ...rest } }
}

export function qosClass(spec: JsonObject): string {
  const containers = [...recordsOf(spec['containers']), ...recordsOf(spec['initContainers'])]
  const asked = containers.map((container) => {
    const { limits, requests } = recordOf(container['resources'])
    return { limits: amountsIn(limits), requests: amountsIn(requests) }
  })
  const isNothing = asked.every(({ limits, requests }) => limits.size + requests.size === 0)
  if (isNothing) return 'BestEffort'
  const isAll = asked.every(
    ({ limits, requests }) =>
      limits.size === counted.length && sameJson([...limits], [...requests]),
  )
  return isAll ? 'Guaranteed' : 'Burstable'
}

/** Only these count. */
const counted = ['cpu', 'memory']

function amountsIn(list: unknown): ReadonlyMap<string, unknown> {
  const amounts = recordOf(list)
  const some = counted.filter((name) => amounts[name] !== undefined && amounts[name] !== '0')
  return new Map(some.map((name) => [name, amounts[name]]))
}
