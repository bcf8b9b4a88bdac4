// Which Services does a tenant's admission policy concern? Those of its namespaces by name, those
// that its selector matches, and those that it lists (R4.1). A binding for each way.
import type { JsonObject } from '../../../model/gate.ts'
import type { Tenant } from '../../../model/tenant.ts'

type Binding = {
  /** With a dot, which no tenant's name has: `a-in-x` may be a tenant too. */
  readonly suffix: string
  readonly matchResources: JsonObject
}

/** The API server sets it on each namespace, and nobody else can. */
const nameLabel = 'kubernetes.io/metadata.name'

export function tenantBindings(tenant: Tenant, others: readonly Tenant[]): readonly Binding[] {
  const { namespaces, selector, services } = tenant
  const bindings: Binding[] = []
  if (namespaces.length > 0) {
    const namespaceSelector = { matchExpressions: [named('In', namespaces)] }
    bindings.push({ suffix: '', matchResources: { namespaceSelector } })
  }
  if (selector !== undefined) {
    const theirs = others.flatMap((other) => other.namespaces)
    const { matchLabels, matchExpressions } = selector
    const but = theirs.length === 0 ? [] : [named('NotIn', theirs)]
    const namespaceSelector = { matchLabels, matchExpressions: [...matchExpressions, ...but] }
    bindings.push({ suffix: '.selected', matchResources: { namespaceSelector } })
  }
  const listed = services.map((key) => key.split('/'))
  for (const namespace of new Set(listed.map(([where = '']) => where))) {
    if (namespaces.includes(namespace)) continue
    const resourceNames = listed.flatMap(([where, name = '']) => (where === namespace ? name : []))
    const namespaceSelector = { matchExpressions: [named('In', [namespace])] }
    const resourceRules = [{ ...everyService, resourceNames }]
    bindings.push({
      suffix: `.in-${namespace}`,
      matchResources: { namespaceSelector, resourceRules },
    })
  }
  return bindings
}

export const everyService = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['services'],
}

const named = (operator: 'In' | 'NotIn', values: readonly string[]): JsonObject => ({
  key: nameLabel,
  operator,
  values,
})
