// How is the result of a probe printed? One line for each hop, then what is wrong and what to do.
import { counted } from '../../../core/net/counted.ts'
import type { Ip } from '../../../core/net/ip.ts'
import type { Finding, Seen } from './finding.ts'
import type { Route } from './route.ts'

type Probed = {
  readonly address: Ip
  readonly route: Route
  readonly seen: Seen
  readonly findings: readonly Finding[]
}

export function probeText({ address, route, seen, findings }: Probed): string {
  const { neighbour, reached } = seen
  const kept = neighbour && `${neighbour.mac}, ${neighbour.state.toLowerCase()}`
  const lines = [
    `address     ${address}, through ${route.interface} from ${route.source || 'no address'}`,
    ...(route.gateway === undefined
      ? [`answers     ${answersText(seen)}`, `this host   ${kept ?? 'no entry'}`]
      : [`router      ${route.gateway}, ${kept ?? 'no entry'}; it alone knows which node answers`]),
    ...reached.map(({ how, ms }) => `${how} `.padEnd(12) + told(ms)),
    ...findings.flatMap(({ word, text, remedy }) => ['', `${word}: ${text}`, `  ${remedy}`]),
    ...(findings.length > 0 ? [] : ['', conclusion(seen)]),
  ]
  return `${lines.join('\n')}\n`
}

const told = (ms: number | undefined): string =>
  ms === undefined ? 'no answer' : `${ms.toFixed(1)} ms`

function answersText({ answers, asked }: Seen): string {
  const macs = [...new Set(answers.map(({ mac }) => mac))].sort()
  const each = macs.map((mac) => {
    const times = answers.filter((answer) => answer.mac === mac).map(({ ms }) => ms)
    return `${mac} ${times.length} of ${asked}, fastest ${Math.min(...times).toFixed(1)} ms`
  })
  return each.join('; ') || `none to ${counted(asked, 'request')}`
}

/** Names the slow hop if all of them answer. */
function conclusion({ answers, reached }: Seen): string {
  const byWay = reached.map(({ ms }) => ms ?? Number.POSITIVE_INFINITY)
  const way = Math.min(...byWay)
  if (way === Number.POSITIVE_INFINITY) return 'traffic sent there gets no answer'
  const link = Math.min(...answers.map(({ ms }) => ms))
  if (way < slowMs) return 'no problem found'
  return way > 2 * link ? 'slow behind the node that answers' : 'slow on the link or at the node'
}

const slowMs = 100
