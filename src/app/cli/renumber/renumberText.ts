// How is a renumbering shown? Who moves where, the steps in order, and what is left.
import { counted } from '../../../core/net/counted.ts'
import { prefixText } from '../../../core/net/range.ts'
import type { Rehearsal } from '../../../core/sim/renumber/rehearse.ts'
import type { Phase, RenumberWrite } from '../../../core/sim/renumber/renumberWrite.ts'
import type { Shift } from '../../../core/sim/renumber/shift.ts'
import { visible } from '../visible.ts'

export type Renumbered = {
  readonly shift: Shift
  readonly phases: readonly Phase[]
  readonly left: readonly string[]
  readonly rehearsal: Rehearsal
}

type Move = { readonly service: string; readonly history: readonly string[] }

const movesIn = ({ rehearsal }: Renumbered): readonly Move[] =>
  [...rehearsal.histories]
    .filter(([, history]) => history.length > 1)
    .map(([service, history]) => ({ service, history }))
    .sort((one, other) => (one.service < other.service ? -1 : 1))

export function renumberText(renumbered: Renumbered): string {
  const { shift, phases, left } = renumbered
  const moves = movesIn(renumbered)
  const steps = phases.filter(({ writes }) => writes.length > 0)
  const title = `${prefixText(shift.from)} -> ${prefixText(shift.to)}`
  if (steps.length === 0) return `${title}: nothing to move\n${leftText(left)}`
  const moved = moves.map(
    ({ service, history }) =>
      `  ~ ${service}  ${history.map((ips) => ips || 'none').join(' -> ')}\n`,
  )
  const written = steps.map(
    ({ title: step, writes }, index) => `${index + 1}. ${step}\n${writes.map(line).join('')}`,
  )
  const count = counted(moves.length, 'Service')
  return (
    `${title}: ${count} ${moves.length === 1 ? 'moves' : 'move'}, each once\n${moved.join('')}\n` +
    `Steps\n${written.join('')}${leftText(left)}`
  )
}

const line = ({ id, what }: RenumberWrite): string => `     ${visible(`${id}  ${what}`)}\n`

const leftText = (left: readonly string[]): string =>
  left.length === 0
    ? ''
    : `\nNot moved, since Berth does not manage it\n${left.map((id) => `  ${id}\n`).join('')}`
