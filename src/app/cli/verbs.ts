// Which verbs are there? The one table behind parsing, help and completion.
import { bgpVerb } from './bgp/bgpVerb.ts'
import { completionVerb } from './completion/completionVerb.ts'
import { crdsVerb } from './crdsVerb.ts'
import { drainVerb, undrainVerb } from './drain/drainVerb.ts'
import { explainVerb } from './explain/explainVerb.ts'
import { exportVerb } from './export/exportVerb.ts'
import { ipSetVerb } from './ipset/ipSetVerb.ts'
import { lintVerb } from './lint/lintVerb.ts'
import { manVerb } from './man/manVerb.ts'
import { migrateVerb } from './migrate/migrateVerb.ts'
import { openstackVerb } from './openstack/openstackVerb.ts'
import { applyVerb } from './plan/applyVerb.ts'
import { planVerb } from './plan/planVerb.ts'
import { probeVerb } from './probe/probeVerb.ts'
import { releaseVerb } from './release/releaseVerb.ts'
import { renumberVerb } from './renumber/renumberVerb.ts'
import { siteVerb } from './site/siteVerb.ts'
import { statusVerb } from './status/statusVerb.ts'
import { tenantVerb } from './tenant/tenantVerb.ts'
import { testVerb } from './testVerb.ts'
import type { Verb } from './verb.ts'
import { versionVerb } from './versionVerb.ts'

/** Daemons are handed in by main, which alone joins apps. */
export function verbsWith(daemons: readonly Verb[]): readonly Verb[] {
  const verbs: readonly Verb[] = [
    ...daemons,
    planVerb,
    applyVerb,
    explainVerb,
    lintVerb,
    exportVerb,
    statusVerb,
    bgpVerb,
    migrateVerb,
    drainVerb,
    undrainVerb,
    releaseVerb,
    ipSetVerb,
    openstackVerb,
    tenantVerb,
    renumberVerb,
    siteVerb,
    probeVerb,
    testVerb,
    crdsVerb,
    completionVerb(() => verbs),
    manVerb(() => verbs),
    versionVerb,
  ]
  return verbs
}
