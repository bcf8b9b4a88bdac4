// Which verbs are there? The one table behind parsing, help and completion.
import { completionVerb } from './completionVerb.ts'
import { crdsVerb } from './crdsVerb.ts'
import { explainVerb } from './explain/explainVerb.ts'
import { lintVerb } from './lint/lintVerb.ts'
import { planVerb } from './plan/planVerb.ts'
import { testVerb } from './testVerb.ts'
import type { Verb } from './verb.ts'
import { versionVerb } from './versionVerb.ts'

export const verbs: readonly Verb[] = [
  planVerb,
  explainVerb,
  lintVerb,
  testVerb,
  crdsVerb,
  completionVerb(() => verbs),
  versionVerb,
]
