// Who would delete definitions and pools with MetalLB? A Helm release, or `kubectl delete -f` of
// its manifest.
import { counted } from '../../../core/net/counted.ts'
import type { CheckFinding } from './checkFinding.ts'
import type { Release } from './helmRelease.ts'

/** One for each release: uninstalling it deletes the definitions, and with them every object. */
export const releaseFindings = (releases: readonly Release[]): CheckFinding[] =>
  releases.map(({ name, namespace, kept }) => ({
    code: 'crds-owned-by-helm',
    severity: 'error',
    object: `Release/${namespace}/${name}`,
    message:
      `uninstalling the Helm release ${name} deletes ${keptText(kept)} and every pool with ` +
      'them; take them out of the release first',
    fixes: ['berth migrate step keep'],
  }))

/** `berth migrate finish` removes MetalLB without Helm then. */
export const unreadFindings = (releases: readonly string[]): CheckFinding[] =>
  releases.map((release) => ({
    code: 'helm-record-unreadable',
    severity: 'warning',
    object: `Release/${release}`,
    message:
      'MetalLB and its definitions belong to this Helm release, and its record is in none of the ' +
      "Secrets that can be read (HELM_DRIVER): do not run 'helm uninstall', which would delete " +
      "the definitions and every pool. 'berth migrate finish' removes MetalLB and nothing else",
    fixes: [],
  }))

/** As in `9 definitions, 1 Namespace`. */
export function keptText(kept: readonly string[]): string {
  const starts = (kind: string) => kept.filter((one) => one.startsWith(`${kind}/`)).length
  const [definitions, namespaces] = [starts('CustomResourceDefinition'), starts('Namespace')]
  const others = kept.length - definitions - namespaces
  return [
    ...(definitions === 0 ? [] : [counted(definitions, 'definition')]),
    ...(namespaces === 0 ? [] : [counted(namespaces, 'Namespace')]),
    ...(others === 0 ? [] : [counted(others, 'object')]),
  ].join(', ')
}

/** Where MetalLB came from its manifest, that manifest holds the namespace and the definitions. */
export function manifestFindings(namespace: string): CheckFinding[] {
  return [
    {
      code: 'removal-takes-pools',
      severity: 'warning',
      object: `Namespace/${namespace}`,
      message:
        "do not run 'kubectl delete -f' with MetalLB's manifest: it deletes the namespace, Berth " +
        "in it, the definitions and every pool. 'berth migrate finish' removes MetalLB and " +
        'nothing else',
      fixes: [],
    },
  ]
}
