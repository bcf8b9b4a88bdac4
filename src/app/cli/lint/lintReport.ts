// What does lint report about these manifests? All findings, sorted and counted.
import { isDeepStrictEqual } from 'node:util'
import { problemRemedies } from '../../../core/model/problem.ts'
import { silencesIn } from '../../../core/policy/announce/silence.ts'
import { type Conflict, conflictsIn } from '../../../core/policy/lint/lintConflicts.ts'
import {
  byLocation,
  type LintFinding,
  type LocationOf,
  withFix,
} from '../../../core/policy/lint/lintFinding.ts'
import { applyRules, type LintRules } from '../../../core/policy/lint/lintRules.ts'
import { silenceFindings } from '../../../core/policy/lint/lintSilence.ts'
import type { LintReport } from '../../../core/policy/lint/lintView.ts'
import { waitingFindings } from '../../../core/policy/lint/lintWaiting.ts'
import { problemFix } from '../../../core/policy/lint/problemFix.ts'
import { lintFindings } from '../../../core/policy/lintFindings.ts'
import { problems } from '../../../core/policy/problems.ts'
import type { Cluster } from '../../../core/sim/cluster.ts'
import { planServices } from '../../../core/sim/plannedServices.ts'
import type { Manifest } from '../../../edge/manifests/manifest.ts'
import { areForeseen } from '../foreseen.ts'
import type { Loaded } from '../load.ts'
import { locationsIn } from './lintLocations.ts'
import { plannedFindings, whereAsked } from './lintPlanned.ts'
import { writtenFindings } from './lintWritten.ts'
import { withoutVainFix } from './ownedBy.ts'

/** Lets a cluster settle that the manifests were loaded into, and changes it. */
export function lintReport(cluster: Cluster, loaded: Loaded, rules?: LintRules): LintReport {
  const planned = planServices(cluster)
  const locationOf = locationsIn(loaded.manifests, cluster.world)
  const { silences, others, isUnknown } = silencesIn(cluster.world, cluster.speakers())
  const inCluster = [
    ...waitingFindings(cluster.world, { jsonOf: (object) => cluster.get(object), locationOf }),
    ...configurationFindings(cluster, locationOf),
  ].map((finding) => whereAsked(finding, { planned, locationOf, cluster }))
  const found = [...writtenFindings(loaded), ...inCluster, ...plannedFindings(planned, locationOf)]
  const known = new Set(found.map(textOf))
  const more = findingsOfReplaced(cluster, loaded).filter((one) => !known.has(textOf(one)))
  const all = [...found, ...more].map((one) => withoutVainFix(one, cluster)).sort(byLocation)
  const before = conflictsIn(all)
  const conflicts = rules === undefined ? before : applyRules(before, rules)
  const ignored = before.length - conflicts.length
  const summary = {
    ...summaryOf(conflicts, loaded),
    ...(ignored > 0 && { ignored }),
    notAnnounced: silences.length,
    areAnnouncersUnknown: isUnknown,
    ...(others > 0 && areForeseen(loaded) && { areForeseen: true }),
  }
  return { findings: conflicts.flat().sort(byLocation), conflicts, summary }
}

const textOf = ({ code, object, message }: LintFinding): string => `${code}\n${object}\n${message}`

function configurationFindings(cluster: Cluster, locationOf: LocationOf): LintFinding[] {
  const { world } = cluster
  const found = problems(world, cluster.speakers())
  const wrong = found.map((problem): LintFinding => {
    const { code, object, field = '' } = problem
    const remedy = problemRemedies[code]
    const finding = { ...problem, ...locationOf(object, field), field, remedy }
    return withFix(finding, problemFix(world, problem))
  })
  const odd = lintFindings(world).map((one) => ({ ...one, ...locationOf(one.object, one.field) }))
  const { silences } = silencesIn(world, cluster.speakers())
  return [...wrong, ...odd, ...silenceFindings(world, silences, { problems: found, locationOf })]
}

/**
 * Of two objects with one name the later is used, but the first may be the intended one: what is
 * wrong with it is reported as well.
 */
function findingsOfReplaced(cluster: Cluster, { twice, manifests }: Loaded): LintFinding[] {
  const replaced = new Map<string, Manifest>()
  for (const { id, first, manifest } of twice) {
    const isService = id.startsWith('Service/')
    const isKnown = replaced.has(id) || isDeepStrictEqual(first.json, manifest.json)
    if (!isService && !isKnown) replaced.set(id, first)
  }
  if (replaced.size === 0) return []
  for (const { json } of replaced.values()) cluster.apply({ ...json })
  cluster.settle()
  const found = { get: (id: string) => replaced.get(id) ?? manifests.get(id) }
  return configurationFindings(cluster, locationsIn(found, cluster.world)).filter(
    ({ object, message }) => [object, ...message.split(/[\s,:]+/)].some((id) => replaced.has(id)),
  )
}

function summaryOf(conflicts: readonly Conflict[], loaded: Loaded) {
  const { manifests, twice, unreadable, passedOver } = loaded
  const files = [
    ...[...manifests.values()].map(({ source }) => source.file),
    ...twice.map(({ first }) => first.source.file),
    ...unreadable.map(({ source }) => source.file),
  ]
  const errors = conflicts.filter(([{ severity }]) => severity === 'error').length
  return {
    errors,
    warnings: conflicts.length - errors,
    objects: manifests.size + twice.length,
    files: new Set(files.filter((file) => file !== '')).size,
    passedOver,
  }
}
