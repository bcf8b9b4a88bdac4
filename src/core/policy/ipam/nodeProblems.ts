// What is wrong with the wires that hosts are on (R12.4, R12.13)? A wire that the administrator did
// not give, and an address that two hosts have had since before us: nothing moves.
import { mostNamed } from '../../model/ipam/holders.ts'
import { wireNamed } from '../../model/ipam/wireNames.ts'
import { isDnsLabel } from '../../model/names.ts'
import type { Problem } from '../../model/problem.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { counted } from '../../net/counted.ts'
import type { Ip } from '../../net/ip.ts'
import { isApart } from './sharedWires.ts'

export const nodeProblems = (world: ReadonlyWorld): Problem[] => [
  ...badNames(world),
  ...notGranted(world),
  ...givenTwice(world),
  ...unreadable(world),
]

const field = 'metadata.annotations[berth.dev/wire]'

function badNames(world: ReadonlyWorld): Problem[] {
  return [...world.all('Namespace').values()].flatMap((view) => {
    if (view.wire === undefined || isDnsLabel(view.wire)) return []
    const message = `${JSON.stringify(view.wire)} is not a DNS label and names no wire`
    return [{ code: 'bad-annotation', severity: 'error', object: objectOf(view), field, message }]
  })
}

function notGranted(world: ReadonlyWorld): Problem[] {
  const namespaces = world.all('Namespace')
  return [...world.all('NetConfig').values()].flatMap((config) => {
    const { wire, namespace } = config
    const named = wireNamed({ namespaces }, namespace)
    if (wire === '' || wire === named) return []
    const where = named === '' ? 'a wire of its own' : `wire ${named}`
    const message = `Namespace ${namespace} is on ${where}, not on wire ${wire}`
    const object = objectOf(config)
    return [{ code: 'wire-not-granted', severity: 'warning', object, field, message }]
  })
}

function givenTwice(world: ReadonlyWorld): Problem[] {
  const { held } = world.nodes
  return [...world.all('Reservation').values()].flatMap((reservation) => {
    const object = objectOf(reservation)
    return [...held.of(reservation.key)].flatMap(({ wire, address, isReserved }) => {
      const others = isReserved ? alsoReserved(world, { wire, address, key: reservation.key }) : ''
      if (others === '') return []
      const message = `${address} on ${wire} is also reserved for ${others}`
      return [{ code: 'node-address-twice', severity: 'error', object, message } as const]
    })
  })
}

/** It reserves nothing and blocks nothing (R12.6). One problem per object, whatever it holds. */
function unreadable(world: ReadonlyWorld): Problem[] {
  return [...world.all('Reservation').values()].flatMap((reservation): Problem[] => {
    const [first, ...more] = reservation.entries.filter(({ address }) => address === undefined)
    if (first === undefined) return []
    const also = more.length === 0 ? '' : `, and ${counted(more.length, 'other')}`
    const message = `${JSON.stringify(first.text)} is not an address: nothing is reserved${also}`
    const [object, where] = [objectOf(reservation), `spec.reservation[${first.network}].address`]
    return [{ code: 'unlikely-value', severity: 'warning', object, field: where, message }]
  })
}

type Reserved = { readonly wire: string; readonly address: Ip; readonly key: string }

/** Its other holder, in words; empty if there is none. Other tenants' hosts are not named. */
export function alsoReserved(world: ReadonlyWorld, { wire, address, key }: Reserved): string {
  const others: string[] = []
  for (const other of world.nodes.held.each(wire, address)) {
    if (!other.isReserved || other.key === key) continue
    others.push(other.key)
    // Those of more are not woken to say more.
    if (others.length >= mostNamed) return `more than ${mostNamed - 1} others`
  }
  return [...new Set(others.map((other) => hostText(world, key, other)))].sort().join(', ')
}

export function hostText(world: ReadonlyWorld, reader: string, host: string): string {
  const [mine = ''] = reader.split('/')
  const [theirs = ''] = host.split('/')
  return isApart(world, mine, theirs) ? 'a host of another tenant' : `IPSet ${host}`
}
