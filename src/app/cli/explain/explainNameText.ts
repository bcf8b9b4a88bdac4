// How is a name explained to people?
import { problemRemedies } from '../../../core/model/problem.ts'
import type { NameExplanation } from '../../../core/policy/explain/explainName.ts'
import { wrapped } from '../wrapped.ts'
import { page, type Row, rows } from './explainPage.ts'

export function nameExplained({ name, given, servers, problems }: NameExplanation): string {
  const objects = given.map(({ object, addresses, services, readBy, isWide }): Row => {
    const from = services.length === 0 ? '' : `, from ${services.join(', ')}`
    const by = readBy.length === 0 ? 'no DNSMasq reads it' : `read by ${readBy.join(', ')}`
    const wide = isWide === true ? ', for all names of its domain' : ''
    return [object, `${addresses.join(', ')}${wide}${from}; ${by}`]
  })
  const answers = servers.map(({ server, dnsAddresses, answer, otherwise }): Row => {
    const at = dnsAddresses.length === 0 ? '' : ` at ${dnsAddresses.join(', ')}`
    return [`${server}${at}`, answer.length === 0 ? otherwise : answer.join(', ')]
  })
  const wrong = problems.flatMap(({ code, object, message }) => [
    `  ! ${code} ${object}`,
    ...wrapped(message, 6),
    ...wrapped(`remedy: ${problemRemedies[code]}`, 6),
  ])
  return page(
    [`Name ${name}`],
    [
      { title: 'Who gives it addresses', lines: rows(objects) },
      { title: 'What DNS servers answer', lines: rows(answers) },
      { title: 'What is wrong', lines: wrong },
    ],
  )
}
