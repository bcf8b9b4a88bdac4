// Who has which address, by the API's objects alone, and what contradicts itself there (R12.5)? Two
// namespaces on one wire, with a NetConfig each.
import { type Json, metaOf, type TinyApi } from './tinyApi.ts'

const openstack = { apiVersion: 'network.openstack.org/v1beta1' }
export const networks = ['net', 'other'] as const
/** Fewer addresses than hosts, in two blocks of 256. */
const ranges = { net: ['10.0.0.254', '10.0.1.2'], other: ['10.1.0.1', '10.1.0.4'] } as const
const cidrs = { net: '10.0.0.0/23', other: '10.1.0.0/24' } as const

export const namespaceOf = (name: string): Json => ({
  ...{ apiVersion: 'v1', kind: 'Namespace' },
  metadata: { name, annotations: { 'berth.dev/wire': 'lab' } },
})

export const configIn = (namespace: string): Json => ({
  ...{ ...openstack, kind: 'NetConfig', metadata: { name: `config-${namespace}`, namespace } },
  spec: {
    networks: networks.map((name) => {
      const [start, end] = ranges[name]
      const subnet = { name: 's', cidr: cidrs[name], allocationRanges: [{ start, end }] }
      return { name, subnets: [subnet] }
    }),
  },
})

export const host = (namespace: string, name: string, on: readonly string[] = networks): Json => ({
  ...{ ...openstack, kind: 'IPSet', metadata: { name, namespace } },
  spec: { networks: on.map((network) => ({ name: network, subnetName: 's' })) },
})

type Entry = { readonly network: string; readonly address: string }
type Holder = Entry & { readonly name: string; readonly uid: string; readonly gone?: string }
type Line = { readonly uid: string; readonly place: string }

export const uidOf = (json: Json): string => String(metaOf(json).uid)
export const ownerOf = (json: Json): string =>
  ((metaOf(json)['ownerReferences'] ?? []) as readonly { uid: string }[])[0]?.uid ?? ''

const placeOf = ({ network, address }: Entry): string => `${network} ${address}`

const shownIn = (api: TinyApi): Line[] =>
  api.all('IPSet').flatMap((json) => {
    const { reservations = [] } = (json['status'] ?? {}) as { reservations?: readonly Entry[] }
    return reservations.map((entry) => ({ uid: uidOf(json), place: placeOf(entry) }))
  })

const reservedIn = (api: TinyApi): Line[] =>
  api.all('Reservation').flatMap((json) => {
    const { reservation } = json['spec'] as { reservation: Readonly<Record<string, Entry>> }
    return Object.values(reservation).map((entry) => ({
      uid: ownerOf(json),
      place: placeOf(entry),
    }))
  })

const claimedIn = (api: TinyApi): Line[] =>
  api.all('AddressBlock').flatMap((json) => {
    const { holders } = json['spec'] as { holders: readonly Holder[] }
    return holders.map((holder) => ({ uid: holder.uid, place: placeOf(holder) }))
  })

const textOf = ({ uid, place }: Line): string => `${place} of ${uid}`

/** For two hosts that are both there. */
function twice(what: string, lines: readonly Line[], alive: ReadonlySet<string>): string[] {
  const living = lines.filter(({ uid }) => alive.has(uid))
  return living.flatMap((one, at) =>
    living
      .slice(0, at)
      .filter((other) => other.place === one.place && other.uid !== one.uid)
      .map((other) => `${what} twice: ${textOf(one)}, ${textOf(other)}`),
  )
}

const missing = (what: string, lines: readonly Line[], from: readonly Line[]): string[] => {
  const there = new Set(from.map(textOf))
  return lines.filter((line) => !there.has(textOf(line))).map((line) => `${what}: ${textOf(line)}`)
}

const aliveIn = (api: TinyApi): ReadonlySet<string> => new Set(api.all('IPSet').map(uidOf))

/** At any time. */
export function brokenIn(api: TinyApi): string[] {
  const alive = aliveIn(api)
  const [shown, reserved, claimed] = [shownIn(api), reservedIn(api), claimedIn(api)]
  return [
    ...twice('shown', shown, alive),
    ...twice('reserved', reserved, alive),
    ...twice('claimed', claimed, alive),
    ...missing('shown and not reserved', shown, reserved),
    ...missing('shown and not claimed', shown, claimed),
  ]
}

/** Once all is done: nothing is held for nobody, and who lacks an address finds none. */
export function leftIn(api: TinyApi): string[] {
  const [shown, reserved, claimed] = [shownIn(api), reservedIn(api), claimedIn(api)]
  const wanted = api.all('IPSet').flatMap((json) => {
    const { networks: on } = json['spec'] as { networks: readonly { name: string }[] }
    return on.map(({ name }) => ({ uid: uidOf(json), name }))
  })
  const has = ({ uid, name }: { uid: string; name: string }): boolean =>
    shown.some((line) => line.uid === uid && line.place.startsWith(`${name} `))
  const sizes = { net: 4, other: 4 }
  const hungry = networks.filter(
    (name) =>
      wanted.some((one) => one.name === name && !has(one)) &&
      shown.filter(({ place }) => place.startsWith(`${name} `)).length < sizes[name],
  )
  return [
    ...missing('reserved and not shown', reserved, shown),
    ...missing('claimed and not shown', claimed, shown),
    ...hungry.map((name) => `${name} has room, and a host waits`),
  ]
}
