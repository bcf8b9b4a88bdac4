// Which findings are the sides of one conflict? What is wrong between two objects is found on both.
import type { ProblemCode } from '../../model/problem.ts'
import type { LintFinding } from './lintFinding.ts'

/** The sides, in order of place; most findings have one. */
export type Conflict = readonly [LintFinding, ...(readonly LintFinding[])]

/** Each says one sentence, which names both sides, on each of them. */
const twoSided: readonly (ProblemCode | 'duplicate-object')[] = [
  'duplicate-object',
  'namespace-claimed-twice',
  'one-subnet-two-vlans',
  'one-vlan-two-subnets',
  'overlap-attachments',
  'overlap-gateway',
  'overlap-node-attachment',
  'overlap-nodes',
  'overlap-vip-attachment',
  'overlap-vip-node',
  'reservation-twice',
]
const isTwoSided: ReadonlySet<string> = new Set(twoSided)

type Sided = { readonly code: string; readonly message: string }

/** In the order of the first side. */
export function conflictsIn<T extends Sided>(findings: readonly T[]): (readonly [T, ...T[]])[] {
  const sides = new Map<string, [T, ...T[]]>()
  for (const [at, finding] of findings.entries()) {
    const { code, message } = finding
    const key = isTwoSided.has(code) ? `${code}\n${message}` : String(at)
    const known = sides.get(key)
    if (known === undefined) sides.set(key, [finding])
    else known.push(finding)
  }
  return [...sides.values()]
}
