// How is a built-in kind without rules of its own written?
import type { JsonObject } from '../../../core/model/gate.ts'
import { changed } from './jsonChange.ts'
import { checkMeta, checkMetaUpdate, type MetaRules } from './metadata.ts'
import { dnsSubdomain } from './names.ts'
import type { Strategy } from './strategy.ts'

export const inNamespace: MetaRules = { isNamespaced: true, name: dnsSubdomain, isBuiltIn: true }
export const inCluster: MetaRules = { ...inNamespace, isNamespaced: false }

export function plainStrategy(meta: MetaRules, particular: Partial<Strategy> = {}): Strategy {
  return {
    meta,
    isUpsert: false,
    isUnconditional: true,
    returnsDeleted: false,
    defaulted: (object) => object,
    prepared: (object) => object,
    checked: (object, before) =>
      before === undefined ? checkMeta(object, meta) : checkMetaUpdate(object, before, meta),
    preparedStatus: (object, before) => changed(object, { spec: before['spec'] }),
    checkedStatus: (object, before) => checkMetaUpdate(object, before, meta),
    warned: () => [],
    fields: () => ({}),
    ...particular,
  }
}

/** A write to the object does not change its status; a new object has none. */
export const keepingStatus = (object: JsonObject, before: JsonObject | undefined): JsonObject =>
  changed(object, { status: before?.['status'] ?? {} })
