// What does the lab look like? Its wires, and who is plugged into which, in under 100 columns.
import { subnets } from './addresses.ts'
import { type Place, portOn, type Wire } from './place.ts'
import type { Topology } from './topology.ts'

const width = 15
/** More in a row would not fit beside each other. */
const mostColumns = 6

export function pictureOf({ places, wires }: Topology): string {
  const of = (...roles: readonly Place['role'][]) =>
    places.filter(({ role }) => roles.includes(role))
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
const hanging = (places: readonly Place[]): string[] =>
  rowsOf(places).flatMap((row) => [
    bars(row),
    names(row),
    told(row, ({ ports }) => ports[0]?.addresses[4]),
  ])

/** A place with its address, and the line down to the next wire. */
const boxes = (row: readonly Place[], wire: Wire): string[] => [
  names(row),
  told(row, (place) => portOn(place, wire)?.addresses[4]),
  bars(row),
]

const rowsOf = (places: readonly Place[]): Place[][] =>
  Array.from({ length: Math.ceil(places.length / mostColumns) }, (_, index) =>
    places.slice(index * mostColumns, (index + 1) * mostColumns),
  )

const told = (row: readonly Place[], say: (place: Place) => string | undefined): string =>
  row.map((place) => (say(place) ?? '').padEnd(width)).join('')
const names = (row: readonly Place[]): string => told(row, ({ name }) => name)
const bars = (row: readonly Place[]): string => told(row, () => '   |')

function wireLine(wire: Wire): string {
  const title = ` ${wire}  ${subnets[wire][4]}  ${subnets[wire][6]} `
  return `===${title}`.padEnd(width * 5, '=')
}
