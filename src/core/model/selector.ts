// Which labels does a selector match? Kubernetes' LabelSelector, resolved once into one form.

export type Labels = Readonly<Record<string, string>>
export type Requirement = {
  readonly key: string
  readonly operator: string
  readonly values: readonly string[]
}
export type Selector = {
  readonly matchLabels: Labels
  readonly matchExpressions: readonly Requirement[]
}

export const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const

export function matches(selector: Selector, labels: Labels): boolean {
  for (const key in selector.matchLabels) {
    if (labels[key] !== selector.matchLabels[key]) return false
  }
  return selector.matchExpressions.every((requirement) => meets(requirement, labels))
}

/** Several selectors are alternatives; what an empty list means is the caller's to say. */
export const matchesAny = (selectors: readonly Selector[], labels: Labels): boolean =>
  selectors.some((selector) => matches(selector, labels))

function meets({ key, operator, values }: Requirement, labels: Labels): boolean {
  // A label may be called `constructor`, which every object has.
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  if (operator === 'In') return value !== undefined && values.includes(value)
  return value === undefined || !values.includes(value)
}

/** Equal selectors have equal texts, however they were written. */
export function selectorText({ matchLabels, matchExpressions }: Selector): string {
  const labels = Object.keys(matchLabels).sort()
  const pairs = labels.map((key) => `${key}=${matchLabels[key]}`)
  const rest = matchExpressions.map(
    ({ key, operator, values }) => `${key} ${operator} (${[...values].sort().join(',')})`,
  )
  return [...pairs, ...rest.sort()].join(',')
}
