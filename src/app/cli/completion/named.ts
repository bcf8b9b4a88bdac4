// Whose names can completion offer? Those that a running API tells, and the contexts of kubeconfig.
export const named = [
  ...(['address', 'context', 'ipset', 'namespace', 'node'] as const),
  ...(['peer', 'pool', 'service', 'tenant'] as const),
] as const

export type Named = (typeof named)[number]
