// When is a kind that is not served worth asking for again? Once its definition says that it is
// served: the definition is watched by name, so that a missing kind costs no requests.
import type { Api } from '../api/client.ts'
import type { Clock } from '../api/clock.ts'
import { ApiError } from '../api/fault.ts'
import type { Resource } from '../api/resource.ts'
import { watch } from '../api/watch.ts'
import { Fields } from '../decode/fields.ts'
import { resourceOf } from '../kinds.ts'

type Waiting = {
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly random: () => number
}

/**
 * - `came`: the definition was missing, or not ready, and serves the kind now.
 * - `there`: it says so already, so the server is only late.
 * - `unknown`: we may not read definitions.
 */
type Definition = 'came' | 'there' | 'unknown'

export async function untilDefined(
  api: Api,
  resource: Resource,
  waiting: Waiting,
): Promise<Definition> {
  const fieldSelector = `metadata.name=${resource.plural}.${resource.group}`
  const named = { ...resourceOf('CustomResourceDefinition'), selector: { fieldSelector } }
  for await (const step of watch(api, named, waiting)) {
    if (step.type === 'fault' && isRefused(step.fault)) return 'unknown'
    const isObject = step.type === 'init-apply' || step.type === 'apply'
    if (!isObject || !serves(step.json, resource.version)) continue
    return step.type === 'apply' ? 'came' : 'there'
  }
  return 'unknown'
}

const isRefused = (fault: Error): boolean =>
  fault instanceof ApiError && [401, 403, 404, 405].includes(fault.code)

function serves(definition: unknown, version: string): boolean {
  const fields = new Fields(definition, [])
  const isServed = fields
    .inner('spec')
    .each('versions')
    .some((one) => one.text('name') === version && one.flag('served') === true)
  const conditions = fields.inner('status').each('conditions')
  const isEstablished = conditions.some(
    (one) => one.text('type') === 'Established' && one.text('status') === 'True',
  )
  const isGoing = fields.inner('metadata').text('deletionTimestamp') !== ''
  return isServed && isEstablished && !isGoing
}
