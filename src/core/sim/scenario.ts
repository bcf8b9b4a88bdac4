// What does a scenario say (FORMAT.md)? Read from an object whose shape the schema has checked.
import { isRecord, type Json, recordAt, textAt } from '../model/json.ts'

export type ServiceExpectation = {
  readonly addresses?: readonly string[]
  readonly addressesFrom?: readonly string[]
  readonly pool?: string
  readonly pending?: boolean
  readonly reason?: string
  readonly events?: readonly string[]
  readonly same?: boolean
  readonly distinctFrom?: readonly string[]
}
export type AnnouncementExpectation = {
  readonly service: string
  readonly none?: boolean
  readonly protocol?: string
  readonly address?: string
  readonly prefix?: string
  readonly nodes?: readonly string[]
  readonly interfaces?: readonly string[]
  readonly peers?: readonly string[]
  readonly localPref?: number | string
  readonly communities?: readonly string[]
  readonly med?: number | string
  readonly prepend?: number
  readonly endpoints?: number | string
}
export type SessionExpectation = {
  readonly peer: string
  readonly none?: boolean
  readonly nodes?: readonly string[]
  /** Why they have no session. */
  readonly problem?: string
  readonly peerAddress?: string
  readonly peerASN?: number
  readonly myASN?: number
  readonly same?: boolean
}
export type Expectation = {
  readonly rejected?: boolean | string
  readonly services?: Readonly<Record<string, ServiceExpectation>>
  readonly announcements?: readonly AnnouncementExpectation[]
  readonly nodesCount?: Readonly<Record<string, number>>
  readonly sessions?: readonly SessionExpectation[]
  readonly resources?: readonly Json[]
  readonly absent?: readonly string[]
  readonly problems?: readonly { readonly code: string; readonly object?: string }[]
  readonly noProblems?: readonly { readonly code: string; readonly object?: string }[]
}
export type Step = {
  readonly name: string
  readonly apply: readonly Json[]
  readonly delete: readonly string[]
  readonly nodesDown: readonly string[]
  readonly nodesUp: readonly string[]
  readonly restart: readonly string[]
  readonly advanceSeconds: number
  readonly expect: Expectation
}
export type Scenario = {
  readonly name: string
  readonly bgpMode: 'native' | 'frr'
  readonly given: readonly Json[]
  readonly steps: readonly Step[]
}

export function scenarioOf(json: Json): Scenario {
  const metadata = recordAt(json, 'metadata')
  const spec = recordAt(json, 'spec')
  const mode = textAt(recordAt(metadata, 'annotations'), 'berth.dev/bgp-mode')
  return {
    name: textAt(metadata, 'name'),
    bgpMode: mode === 'frr' ? 'frr' : 'native',
    given: records(spec['given']),
    steps: records(spec['steps']).map(stepOf),
  }
}

function stepOf(json: Json, index: number): Step {
  return {
    name: textAt(json, 'name') || `step ${index + 1}`,
    apply: records(json['apply']),
    delete: texts(json['delete']),
    nodesDown: texts(json['nodesDown']),
    nodesUp: texts(json['nodesUp']),
    restart: texts(json['restart']),
    advanceSeconds: secondsOf(textAt(json, 'advance')),
    expect: recordAt(json, 'expect') as Expectation,
  }
}

/** 10s, 2m, 1h30m; what the schema lets through. */
function secondsOf(text: string): number {
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 }
  const parts = [...text.matchAll(/([0-9]+)([hms])/g)]
  return parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (units[unit] ?? 1), 0)
}

const records = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
