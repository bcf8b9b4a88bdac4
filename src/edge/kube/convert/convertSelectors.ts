// How are a peer's node selectors written in the other version? v1beta1 requires at least one value
// in every expression, even if there is nothing to compare: one empty value means none.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../decode/fields.ts'

type Change = (expression: JsonObject) => JsonObject

export const lowered = (selectors: unknown): unknown => eachExpression(selectors, withValue)
export const lifted = (selectors: unknown): unknown => eachExpression(selectors, withoutValue)

const comparesNothing = ({ operator }: JsonObject): boolean =>
  operator === 'Exists' || operator === 'DoesNotExist'

const withValue: Change = (expression) => {
  const { values = [] } = expression
  const isEmpty = Array.isArray(values) && values.length === 0
  return comparesNothing(expression) && isEmpty ? { ...expression, values: [''] } : expression
}

const withoutValue: Change = (expression) => {
  const { values, ...rest } = expression
  const isStandIn = Array.isArray(values) && values.length === 1 && values[0] === ''
  return comparesNothing(expression) && isStandIn ? rest : expression
}

/** Anything that is not a selector stays as it is. */
const eachExpression = (selectors: unknown, change: Change): unknown =>
  eachRecord(selectors, (selector) => {
    const { matchExpressions } = selector
    if (matchExpressions === undefined) return selector
    return { ...selector, matchExpressions: eachRecord(matchExpressions, change) }
  })

const eachRecord = (list: unknown, change: Change): unknown =>
  Array.isArray(list) ? list.map((item) => (isRecord(item) ? change(item) : item)) : list
