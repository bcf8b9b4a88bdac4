// Who would undo a fix? An operator writes what it owns again, so no command is offered for that.
import { recordAt, textAt } from '../../../core/model/json.ts'
import type { LintFinding } from '../../../core/policy/lint/lintFinding.ts'
import type { Cluster } from '../../../core/sim/cluster.ts'

export function withoutVainFix(finding: LintFinding, cluster: Cluster): LintFinding {
  const { fix, ...rest } = finding
  if (fix === undefined) return finding
  const owners = recordAt(cluster.get(finding.object), 'metadata')['ownerReferences']
  const owner: unknown = Array.isArray(owners) ? owners[0] : undefined
  if (owner === undefined) return finding
  const name = `${textAt(owner, 'kind')}/${textAt(owner, 'name')}`
  return { ...rest, remedy: `${rest.remedy}; ${name} owns it, so change it there` }
}
