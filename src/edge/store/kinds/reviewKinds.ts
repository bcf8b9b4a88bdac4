// Which kinds are answered but never stored? Reviews; they can only be created.
import type { StoredKind } from './storedKind.ts'

export const reviewKinds: readonly StoredKind[] = [
  review('authentication.k8s.io', 'SelfSubjectReview'),
  review('authorization.k8s.io', 'SelfSubjectAccessReview'),
  review('authorization.k8s.io', 'SelfSubjectRulesReview'),
]

function review(group: string, kind: string): StoredKind {
  const singular = kind.toLowerCase()
  return {
    group,
    kind,
    listKind: '',
    plural: `${singular}s`,
    singular,
    shortNames: [],
    categories: [],
    isNamespaced: false,
    isBuiltIn: true,
    storage: 'v1',
    versions: [{ name: 'v1', schema: {}, hasStatus: false, columns: [] }],
  }
}
