// Who may belong to another tenant after a change of a tenant or of a namespace's labels (R4.1)?

import { type Labels, matches } from './selector.ts'
import type { Key } from './service.ts'
import { vipServices } from './siteVips.ts'
import type { Kind, View } from './view.ts'
import type { ViewStore } from './viewStore.ts'

const joining: ReadonlySet<Kind> = new Set(['Tenant', 'Namespace', 'Site'] as const)

/** Asked before the change is entered, of what was and of what will be. */
export function membersOf(
  views: ViewStore,
  labelsOf: (namespace: string) => Labels,
  changed: readonly (View | undefined)[],
): Key[] {
  if (!changed.some((view) => view !== undefined && joining.has(view.kind))) return []
  const namespaces = new Set<string>()
  const keys: Key[] = []
  for (const view of changed) {
    if (view?.kind === 'Namespace') namespaces.add(view.name)
    // A Service of the Site is of no tenant (R6.5).
    if (view?.kind === 'Site') keys.push(...vipServices(view))
    if (view?.kind !== 'Tenant') continue
    for (const name of view.namespaces) namespaces.add(name)
    keys.push(...view.services)
    const { selector } = view
    if (selector === undefined) continue
    for (const name of views.namespacesInUse()) {
      if (matches(selector, labelsOf(name))) namespaces.add(name)
    }
  }
  return [...keys, ...[...namespaces].flatMap((name) => [...views.servicesIn(name)])]
}
