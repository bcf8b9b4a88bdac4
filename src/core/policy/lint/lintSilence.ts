// Which Services does nobody announce, where no other finding says so already?
import type { Problem } from '../../model/problem.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Silence } from '../announce/silence.ts'
import type { LintFinding, LocationOf } from './lintFinding.ts'

type Around = { readonly problems: readonly Problem[]; readonly locationOf: LocationOf }

export function silenceFindings(
  world: ReadonlyWorld,
  silences: readonly Silence[],
  { problems, locationOf }: Around,
): LintFinding[] {
  const told = new Set(problems.filter(({ code }) => tells.has(code)).map(({ object }) => object))
  return silences.flatMap((silence): LintFinding[] => {
    const { service, ips, why, remedy } = silence
    const object = `Service/${service}`
    const pools = ips.map((ip) => world.poolOf(ip)).filter((pool) => pool !== undefined)
    const around = [object, ...pools.map(objectOf)]
    if (around.some((id) => told.has(id))) return []
    const message = `${ips.join(', ')} is not announced: ${why}`
    const about = { code: 'not-announced', severity: 'warning', object, field: '' } as const
    return [{ ...about, ...locationOf(object, ''), message, remedy }]
  })
}

/** On the Service or on its pool, which is one finding for many Services. */
const tells: ReadonlySet<Problem['code']> = new Set(['never-announced', 'local-endpoints-excluded'])
