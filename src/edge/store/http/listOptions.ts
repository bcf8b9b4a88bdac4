// Which objects does a list or a watch ask for, at which revision? Its query parameters.
import { counted } from '../../../core/net/counted.ts'
import type { StoredKind } from '../kinds/storedKind.ts'
import type { Stored } from '../storage/stored.ts'
import { badRequest, type Cause, done, type Outcome, type Refused } from '../values/status.ts'
import { meetsFields, parseFieldSelector, unknownField } from './fieldSelector.ts'
import { type LabelRequirement, meetsLabels, parseLabelSelector } from './labelSelector.ts'
import { invalidOptions } from './refusals.ts'
import { isSet } from './target.ts'

type Match = '' | 'Exact' | 'NotOlderThan'
export type ListOptions = {
  /** Undefined if everything is selected. */
  readonly matches: ((stored: Stored) => boolean) | undefined
  readonly limit: number
  readonly timeoutSeconds: number
  readonly continue: string
  /** As it was sent; '' for none. */
  readonly resourceVersion: string
  readonly match: Match
  readonly sendsInitialEvents: boolean | undefined
  readonly allowsBookmarks: boolean
}

export function listOptions(
  query: URLSearchParams,
  kind: StoredKind,
  verb: 'list' | 'watch',
): Outcome<ListOptions> {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '')
  if (!labels.ok) return badRequest(labels.why)
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '')
  if (!fields.ok) return badRequest(fields.why)
  const tooLong = whyTooLong(labels.value, fields.value.length)
  if (tooLong !== undefined) return badRequest(tooLong)
  const timeout = parseWhole(query.get('timeoutSeconds') ?? '0')
  if (!timeout.ok) return timeout
  const limit = parseWhole(query.get('limit') ?? '0')
  if (!limit.ok) return limit
  const wrong = wrongOptions(query, verb)
  if (wrong.length > 0) return invalidOptions('ListOptions', wrong)
  const unknown = unknownField(kind, fields.value)
  if (unknown !== undefined) return badRequest(unknown)
  const selectsAll = labels.value.length === 0 && fields.value.length === 0
  const matches = (stored: Stored): boolean =>
    meetsLabels(labels.value, stored.labels) && meetsFields(fields.value, stored)
  return done({
    matches: selectsAll ? undefined : matches,
    limit: Math.max(limit.value, 0),
    timeoutSeconds: Math.max(timeout.value, 0),
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    match: matchOf(query.get('resourceVersionMatch')),
    sendsInitialEvents: flagOf(query.get('sendInitialEvents')),
    allowsBookmarks: isSet(query.get('allowWatchBookmarks')),
  })
}

/**
 * Each object is compared with all of a selector: for a list every object of the namespace, for a
 * watch, which keeps its selector for as long as it lives, every change.
 */
const [mostRequirements, mostValues] = [100, 1_000]

function whyTooLong(labels: readonly LabelRequirement[], fields: number): string | undefined {
  const requirements = labels.length + fields
  const values = labels.reduce((sum, one) => sum + one.values.length, fields)
  if (requirements <= mostRequirements && values <= mostValues) return undefined
  const has = `${counted(requirements, 'requirement')} and ${counted(values, 'value')}`
  return `the selectors have ${has}: at most ${mostRequirements} and ${mostValues} are allowed`
}

const matchOf = (text: string | null): Match =>
  text === 'Exact' || text === 'NotOlderThan' ? text : ''

const flagOf = (text: string | null): boolean | undefined =>
  text === null ? undefined : isSet(text)

/** Worded as Go's strconv, which Kubernetes quotes. */
export function parseWhole(text: string): Outcome<number> {
  const wrong = (why: string): Refused =>
    badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`)
  if (!/^[+-]?\d+$/.test(text)) return wrong('invalid syntax')
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value ? done(Number(value)) : wrong('value out of range')
}

const field = 'resourceVersionMatch'
const forbidden = (why: string, of = field): Required<Cause> => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${why}`,
  field: of,
})
const unsupported = (value: string, supported: string): Required<Cause> => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`,
  field,
})

function wrongOptions(query: URLSearchParams, verb: 'list' | 'watch'): Required<Cause>[] {
  return verb === 'watch' ? wrongOfWatch(query) : wrongOfList(query)
}

function wrongOfList(query: URLSearchParams): Required<Cause>[] {
  const match = query.get(field) ?? ''
  const version = query.get('resourceVersion') ?? ''
  const wrong: Required<Cause>[] = []
  if (match !== '') {
    if (version === '') {
      wrong.push(forbidden(`${field} is forbidden unless resourceVersion is provided`))
    }
    if ((query.get('continue') ?? '') !== '') {
      wrong.push(forbidden(`${field} is forbidden when continue is provided`))
    }
    if (matchOf(match) === '') wrong.push(unsupported(match, '"Exact", "NotOlderThan", ""'))
    if (match === 'Exact' && version === '0') {
      wrong.push(forbidden(`${field} "exact" is forbidden for resourceVersion "0"`))
    }
  }
  const initial = 'sendInitialEvents'
  if (query.has(initial)) wrong.push(forbidden(`${initial} is forbidden for list`, initial))
  return wrong
}

function wrongOfWatch(query: URLSearchParams): Required<Cause>[] {
  const match = query.get(field) ?? ''
  const isAsked = query.has('sendInitialEvents')
  const wrong: Required<Cause>[] = []
  if (isAsked && match !== 'NotOlderThan') {
    wrong.push(forbidden(`sendInitialEvents requires setting ${field} to NotOlderThan`))
  }
  if (match !== '' && !isAsked) {
    wrong.push(forbidden(`${field} is forbidden for watch unless sendInitialEvents is provided`))
  }
  if (match !== '' && match !== 'NotOlderThan') wrong.push(unsupported(match, '"NotOlderThan"'))
  if ((query.get('continue') ?? '') !== '') {
    wrong.push(forbidden(`${field} is forbidden when continue is provided`))
  }
  return wrong
}
