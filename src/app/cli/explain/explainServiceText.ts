// How is a Service explained to people? The outcome first, then what led to it.
import type { Outcome, Unmet } from '../../../core/policy/explain/explainOutcome.ts'
import type {
  Asks,
  PoolAnswers,
  ServiceExplanation,
} from '../../../core/policy/explain/explainService.ts'
import { wrapped } from '../wrapped.ts'
import { announcingSection } from './explainAnnounced.ts'
import { answerLines, legend, page, type Row, rows } from './explainPage.ts'

type Around = {
  /** Why it loses what its status shows. */
  readonly taken: readonly string[]
  /** The control plane whose operator would make it; empty if it is there. */
  readonly plannedBy: string
  /** Whether no speaker runs yet. */
  readonly isForeseen: boolean
}

export function serviceText(
  explained: ServiceExplanation,
  { taken, plannedBy, isForeseen }: Around,
): string {
  const { service, outcome, asks, request, pools, announcing } = explained
  const sections = [
    { title: 'It asks for', lines: rows(asksRows(asks)) },
    { title: 'What its status shows goes', lines: taken.flatMap((why) => wrapped(why, 2)) },
    { title: 'It holds', lines: holdsLines(explained) },
    { title: 'The second family, which only the same pool gives', lines: secondLines(explained) },
    { title: `The request (${legend})`, lines: answerLines(request) },
    {
      title: poolsTitle(explained),
      lines: pools.flatMap((pool) => poolLines(pool, isGiving(explained, pool))),
    },
    announcingSection(announcing, isForeseen),
  ]
  const planned = plannedBy === '' ? [] : [`  it is not there yet: ${plannedBy} asks for it`]
  return page([...titleOf(service, outcome), ...planned, ...silentLines(explained)], sections)
}

const poolsTitle = ({ holds }: ServiceExplanation): string =>
  `The pools, in the order of the decision${holds === undefined ? '' : ', as if it held nothing'}`

function titleOf(service: string, outcome: Outcome): string[] {
  if (outcome.is === 'not-ours') return [`Service ${service} is not ours: ${outcome.message}`]
  if (outcome.is === 'waits') {
    return [`Service ${service} waits: ${outcome.reason}`, ...unmetLines(outcome)]
  }
  const { ips, pool, lacks } = outcome
  const title = `Service ${service} holds ${ips.join(' and ')} from pool ${pool}`
  return lacks === undefined ? [title] : [`${title}, but: ${lacks.reason}`, ...unmetLines(lacks)]
}

/** In the words of plan, lint and status. */
function silentLines({ announcing: { silence } }: ServiceExplanation): string[] {
  if (silence === undefined) return []
  const { why, remedy } = silence
  return [...wrapped(`it is not announced: ${why}`, 2), ...wrapped(`remedy: ${remedy}`, 2)]
}

const unmetLines = ({ message, remedy }: Unmet): string[] => [
  ...wrapped(message, 2),
  ...wrapped(`remedy: ${remedy}`, 2),
]

function asksRows(asks: Asks): Row[] {
  const { families, familyPolicy, addresses, means, tenant } = asks
  const isSame = means.join() === addresses
  const becomes = means.length === 0 || isSame ? '' : `, which means ${means.join(' and ')}`
  const quota = tenant?.quota === undefined ? '' : ` of ${tenant.quota}`
  return [
    ['families', `${families.join(' and ')} (${familyPolicy})`],
    ['pool', asks.pool],
    ['address', addresses === '' ? '' : `${addresses}${becomes}`],
    ['sharing key', asks.sharingKey],
    ['ports', asks.ports.join(', ')],
    ['traffic', asks.trafficPolicy],
    ['tenant', tenant === undefined ? '' : `${tenant.name}, which holds ${tenant.used}${quota}`],
  ]
}

function holdsLines({ holds, anew }: ServiceExplanation): string[] {
  if (holds === undefined) return []
  const { keeps, answers } = holds
  const otherwise =
    anew === undefined || 'ips' in anew
      ? `${anew?.ips.join(' and ')} from pool ${anew?.pool}`
      : `it would wait: ${anew.reason}`
  const facts = rows([
    ['address', `${holds.ips.join(' and ')} from pool ${holds.pool || 'none'}`],
    ['if it held nothing', otherwise],
    ['may keep it', keeps.ok ? 'yes' : `no, ${keeps.reason}: ${keeps.message}`],
  ])
  return [...facts, ...answerLines(answers, 4)]
}

function secondLines({ second, outcome }: ServiceExplanation): string[] {
  if (second === undefined) return []
  const isGiven = outcome.is === 'holds' && outcome.lacks === undefined
  return [...answerLines(second.request), ...poolLines(second, isGiven)]
}

const isGiving = ({ anew }: ServiceExplanation, { pool }: PoolAnswers): boolean =>
  anew !== undefined && 'ips' in anew && anew.pool === pool

function poolLines({ pool, answers, offers }: PoolAnswers, isChosen: boolean): string[] {
  const verb = isChosen ? 'gives' : 'would give'
  const head = offers.length === 0 ? pool : `${pool} ${verb} ${offers.join(' and ')}`
  return [`  ${head}`, ...answerLines(answers, 4)]
}
