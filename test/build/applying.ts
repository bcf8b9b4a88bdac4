// Server-side apply in one line: an object over another, by a manager, with or without force.
import type { JsonObject } from '../../src/core/model/gate.ts'
import { builtInKinds } from '../../src/edge/store/kinds/builtIn.ts'
import type { StoredKind } from '../../src/edge/store/kinds/storedKind.ts'
import { applyPatch } from '../../src/edge/store/patch/apply.ts'
import { type Target, targetOf } from '../../src/edge/store/patch/target.ts'

export function target(kinds: readonly StoredKind[], name: string, version = 'v1'): Target {
  const kind = kinds.find((one) => one.kind === name)
  const served = kind?.versions.find((one) => one.name === version)
  if (kind === undefined || served === undefined) throw new Error(`there is no ${name}`)
  return targetOf(kind, served, '')
}
export const configMaps = target(builtInKinds, 'ConfigMap')

export const now = '2026-01-01T00:00:00Z'
export const configMap = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'shop', ...metadata },
  data,
})

type Options = {
  readonly to?: Target
  readonly live?: JsonObject | undefined
  readonly manager?: string
  readonly isForced?: boolean
  readonly now?: string
}
const apply = (applied: unknown, options: Options = {}) =>
  applyPatch({
    target: options.to ?? configMaps,
    live: options.live,
    applied,
    manager: options.manager ?? 'one',
    isForced: options.isForced ?? false,
    now: options.now ?? now,
  })
export const applied = (object: unknown, options: Options = {}): JsonObject => {
  const outcome = apply(object, options)
  if (!outcome.ok) throw new Error(outcome.status.message)
  return outcome.value
}
export const refusal = (object: unknown, options: Options = {}) => {
  const outcome = apply(object, options)
  if (outcome.ok) throw new Error('was not refused')
  return outcome.status
}
export const owners = (object: JsonObject): JsonObject => {
  const { managedFields = [] } = object['metadata'] as { managedFields?: JsonObject[] }
  const fields = managedFields.map(({ manager, operation, fieldsV1 }) => [
    `${manager} ${operation}`,
    fieldsV1,
  ])
  return Object.fromEntries(fields)
}
