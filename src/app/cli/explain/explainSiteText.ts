// How is the Site explained to people?
import { refText } from '../../../core/model/ref.ts'
import type { SiteExplanation, VipExplanation } from '../../../core/policy/explain/explainSite.ts'
import { wrapped } from '../wrapped.ts'
import { announcingSection } from './explainAnnounced.ts'
import { hanging, page, type Row, rows } from './explainPage.ts'

export function siteExplained(explained: SiteExplanation): string {
  const { phases, vips, names, routes, objects, problems, next } = explained
  const width = Math.max(...phases.map(({ phase }) => phase.length))
  const steps = phases.flatMap(({ phase, isDone, message }) =>
    hanging(`  ${isDone ? '+' : '-'} ${phase.padEnd(width)}  `, message),
  )
  const made = objects.map(({ of, state, message }): Row => {
    return [refText(of), message === '' ? state : `${state}: ${message}`]
  })
  const wrong = problems.flatMap(({ code, object, message, remedy }) => [
    `  ! ${code} ${object}`,
    ...wrapped(message, 6),
    ...wrapped(`remedy: ${remedy}`, 6),
  ])
  return page(
    [`Site ${explained.site}`, ...rows(definition(explained))],
    [
      { title: 'What each phase waits for (+ done, - waits)', lines: steps },
      ...vips.map(vipSection),
      { title: 'Names', lines: names.map((name) => `  ${name}`) },
      { title: 'Routes of all nodes', lines: routes.map((route) => `  ${route}`) },
      { title: 'What is made from it', lines: rows(made) },
      { title: 'What is wrong', lines: wrong },
      { title: 'Next', lines: [`  ${next}`] },
    ],
  )
}

const definition = ({ internalNetwork, announce, gateways, ...site }: SiteExplanation): Row[] => [
  ['internal network', internalNetwork],
  ['announced by', site.interface === '' ? announce : `${announce} on ${site.interface}`],
  ['gateway', gateways.join(' and ')],
]

function vipSection({ vip, addresses, service, pool, announcing }: VipExplanation) {
  const { title, lines } = announcingSection(announcing)
  const told = lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `  ${line}`)]
  return {
    title: `VIP of the ${vip === 'api' ? 'API' : 'ingress'}`,
    lines: [
      ...rows([
        ['address', addresses.join(' and ')],
        ['Service', service],
        ['pool', pool],
      ]),
      ...told,
    ],
  }
}
