// What does the lab look like? Its wires and the machines on each, in under 100 columns.
import { subnets } from './addresses.ts'
import { type Machine, portOn, type Wire } from './machine.ts'
import type { Topology } from './topology.ts'

const width = 15
/** More would not fit side by side. */
const mostColumns = 6

export function pictureOf({ machines, wires }: Topology): string {
  const of = (...roles: readonly Machine['role'][]) =>
    machines.filter(({ role }) => roles.includes(role))
  const hasEdge = wires.includes('edge')
  const lines = [
    ...boxes(of('control'), 'mgmt'),
    wireLine('mgmt'),
    ...rowsOf(of('node')).flatMap((row) => [bars(row), ...boxes(row, 'lan')]),
    wireLine('lan'),
    ...(hasEdge
      ? rowsOf(of('router')).flatMap((row) => [bars(row), ...boxes(row, 'lan')])
      : hanging(of('client', 'router'))),
    ...(hasEdge ? [wireLine('edge'), ...hanging(of('client'))] : []),
  ]
  return lines.map((line) => `  ${line.trimEnd()}\n`).join('')
}

/** Places with nothing below them. */
const hanging = (machines: readonly Machine[]): string[] =>
  rowsOf(machines).flatMap((row) => [
    bars(row),
    names(row),
    told(row, ({ ports }) => ports[0]?.addresses[4]),
  ])

/** A machine with its address, and the line down to the next wire. */
const boxes = (row: readonly Machine[], wire: Wire): string[] => [
  names(row),
  told(row, (machine) => portOn(machine, wire)?.addresses[4]),
  bars(row),
]

const rowsOf = (machines: readonly Machine[]): Machine[][] =>
  Array.from({ length: Math.ceil(machines.length / mostColumns) }, (_, index) =>
    machines.slice(index * mostColumns, (index + 1) * mostColumns),
  )

const told = (row: readonly Machine[], say: (machine: Machine) => string | undefined): string =>
  row.map((machine) => (say(machine) ?? '').padEnd(width)).join('')
const names = (row: readonly Machine[]): string => told(row, ({ name }) => name)
const bars = (row: readonly Machine[]): string => told(row, () => '   |')

function wireLine(wire: Wire): string {
  const title = ` ${wire}  ${subnets[wire][4]}  ${subnets[wire][6]} `
  return `===${title}`.padEnd(width * 5, '=')
}
