// Do lists say everything once, and are their selectors valid? (M8.1 rules 9, 18, 19 and 20)
import type { FieldError } from '../../model/admission.ts'
import { invalid, required } from '../../model/fieldError.ts'
import { isLabelKey, isLabelValue } from '../../model/names.ts'
import { operators, type Requirement, type Selector, selectorText } from '../../model/selector.ts'

/** Each repetition is an error of its own; the first mention is not. */
export function checkOnce(path: string, texts: readonly string[]): readonly FieldError[] {
  const seen = new Set<string>()
  return texts.flatMap((text, index) => {
    if (!seen.has(text)) {
      seen.add(text)
      return []
    }
    return [{ path: `${path}[${index}]`, message: `Duplicate value: ${JSON.stringify(text)}` }]
  })
}

export function checkSelectors(path: string, selectors: readonly Selector[]): FieldError[] {
  return [
    ...selectors.flatMap((selector, index) => checkSelector(`${path}[${index}]`, selector)),
    ...checkOnce(path, selectors.map(selectorText)),
  ]
}

export function checkSelector(path: string, selector: Selector): readonly FieldError[] {
  const { matchLabels, matchExpressions } = selector
  const expressions = `${path}.matchExpressions`
  return [
    ...Object.entries(matchLabels).flatMap(([key, value]) => [
      ...checkKey(`${path}.matchLabels`, key),
      ...checkValue(`${path}.matchLabels[${key}]`, value),
    ]),
    ...matchExpressions.flatMap((expression, index) =>
      checkRequirement(`${expressions}[${index}]`, expression),
    ),
    ...checkOnce(expressions, matchExpressions.map(requirementText)),
  ]
}

function checkRequirement(path: string, requirement: Requirement): readonly FieldError[] {
  const { key, operator, values } = requirement
  const common = [
    ...checkKey(`${path}.key`, key),
    ...checkOnce(`${path}.values`, values),
    ...values.flatMap((value, index) => checkValue(`${path}.values[${index}]`, value)),
  ]
  if (!operators.some((known) => known === operator)) {
    const why = `write one of ${operators.join(', ')}`
    return [...common, invalid(`${path}.operator`, operator, why)]
  }
  const needsValues = operator === 'In' || operator === 'NotIn'
  if (needsValues && values.length === 0) {
    return [...common, required(`${path}.values`, `${operator} needs at least one value`)]
  }
  if (!needsValues && values.length > 0) {
    return [...common, invalid(`${path}.values`, values, `${operator} takes no values`)]
  }
  return common
}

const checkKey = (path: string, key: string): readonly FieldError[] =>
  isLabelKey(key) ? [] : [invalid(path, key, 'not a label key')]

const checkValue = (path: string, value: string): readonly FieldError[] =>
  isLabelValue(value) ? [] : [invalid(path, value, 'not a label value')]

const requirementText = (requirement: Requirement): string =>
  selectorText({ matchLabels: {}, matchExpressions: [requirement] })
