// How is a migration shown? What was found, then one line for each step.
import { counted } from '../../../../core/net/counted.ts'
import { aligned } from '../../aligned.ts'
import { wrapped } from '../../wrapped.ts'
import { bgpModeOf, hasMemberlist } from '../metallb.ts'
import type { Progress } from './progress.ts'
import type { Step } from './step.ts'

export function foundText({ controllers, speakers, nodes, uses }: Progress): string {
  const [one = speakers[0]] = controllers
  const [speaker] = speakers
  const announces = [...(uses.layer2 ? ['layer 2'] : []), ...(uses.bgp ? ['BGP'] : [])]
  const theirs = nodes.filter(({ metallb }) => metallb !== undefined).length
  const berths = nodes.filter(({ berth }) => berth !== undefined).length
  const rows = [
    ['MetalLB', one === undefined ? 'not installed' : `in ${one.namespace}, by ${one.installedBy}`],
    ...(speaker === undefined
      ? []
      : [
          ['memberlist', hasMemberlist(speaker) ? 'on' : 'off'],
          ['BGP mode', `${bgpModeOf(speaker)}${uses.bgp ? '' : ', not in use'}`],
        ]),
    ['announced', announces.join(' and ') || 'nothing'],
    ['speakers', `MetalLB on ${counted(theirs, 'node')}, Berth on ${counted(berths, 'node')}`],
  ]
  return `${aligned(rows).join('\n')}\n`
}

/** The first that is not done is next. */
export function stepsText(steps: readonly Step[], isLong: boolean): string {
  const next = steps.findIndex(({ isDone }) => !isDone)
  const lines = steps.flatMap(({ name, title, does, isDone }, at) => {
    const mark = isDone ? 'done' : at === next ? 'next' : ''
    const line = `${mark.padEnd(5)} ${name.padEnd(12)} ${title}`
    return [line, ...(isLong && !isDone ? does.flatMap(doesLines) : [])]
  })
  return `${lines.join('\n')}\n`
}

/** A command stays on one line, to be copied. */
const doesLines = (text: string): string[] =>
  text.startsWith('kubectl ') ? [`${' '.repeat(19)}${text}`] : wrapped(text, 19)

/** Plain data under a named schema. */
export const stepsView = (steps: readonly Step[]): object => ({
  schema: 'berth.dev/migrate/v1',
  steps: steps.map(({ name, title, does, isDone }) => ({ name, title, does, done: isDone })),
})
