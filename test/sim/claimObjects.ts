// Who shows an address, and whom do Addresses record? Read from the API's objects alone, with the
// pools and Services that tests of claims put there.
import { type Json, metaOf, type TinyApi } from './tinyApi.ts'

export const pool = (name: string, addresses: readonly string[], autoAssign = true): Json => ({
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name, namespace: 'metallb-system' },
  spec: { addresses, autoAssign },
})

type Wanted = {
  readonly name: string
  readonly annotations?: Json
  readonly port?: number
  readonly isPair?: boolean
}

/** Status and recorded pool stay as they were before. */
export function service(wanted: Wanted, before?: Json): Json {
  const { name, annotations = {}, port = 80, isPair = false } = wanted
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'a', annotations: { ...kept(before), ...annotations } },
    spec: {
      type: 'LoadBalancer',
      ports: [{ port }],
      clusterIPs: isPair ? ['10.96.0.1', 'fd00::1'] : ['10.96.0.1'],
      ipFamilyPolicy: isPair ? 'PreferDualStack' : 'SingleStack',
      ipFamilies: ['IPv4'],
    },
    ...(before?.['status'] === undefined ? {} : { status: before['status'] }),
  }
}

export const asks = (ip: string): Json => ({ 'metallb.io/loadBalancerIPs': ip })
export const shares: Json = { 'metallb.io/allow-shared-ip': 'k' }

const fromPool = 'metallb.io/ip-allocated-from-pool'
const kept = (before: Json | undefined): Json => {
  const annotations = (before === undefined ? {} : metaOf(before)['annotations']) as
    | Json
    | undefined
  return annotations?.[fromPool] === undefined ? {} : { [fromPool]: annotations[fromPool] }
}

type Shown = { name: string; uid: string; key: string; ips: string[] }

export const shownIn = (api: TinyApi): Shown[] =>
  api.all('Service').map((json) => {
    const { name, uid = '', annotations = {} } = metaOf(json)
    const status = (json['status'] ?? {}) as { loadBalancer?: { ingress?: { ip: string }[] } }
    return {
      name,
      uid,
      key: String((annotations as Json)['metallb.io/allow-shared-ip'] ?? ''),
      ips: (status.loadBalancer?.ingress ?? []).map(({ ip }) => ip),
    }
  })

type Recorded = { address: string; sharingKey: string; holders: { uid: string; ports: string[] }[] }
const recordedIn = (api: TinyApi): Recorded[] =>
  api.all('Address').map(({ spec }) => spec as Recorded)

/** Ports are the user's to change at any time: only what is recorded is judged by them. */
export function shownTwice(all: readonly Shown[]): string[] {
  return all.flatMap((one, index) =>
    all.slice(0, index).flatMap((other) => {
      const mayShare = one.key !== '' && one.key === other.key
      const both = one.ips.filter((ip) => !mayShare && other.ips.includes(ip))
      return both.map((ip) => `${ip} is shown by ${one.name} and ${other.name}`)
    }),
  )
}

/** R3.11: whoever is added conflicts with nobody who is there. */
export const recordedTwice = (api: TinyApi): string[] =>
  recordedIn(api).flatMap(({ address, sharingKey, holders }) => {
    const ports = holders.flatMap((holder) => holder.ports)
    const isApart = sharingKey !== '' && new Set(ports).size === ports.length
    return holders.length < 2 || isApart ? [] : [`${address} is recorded for two that conflict`]
  })

/** R3.12: at any time. */
export function shownOnly(api: TinyApi): string[] {
  const recorded = recordedPairs(api)
  return shownPairs(api)
    .filter((one) => !recorded.includes(one))
    .map((one) => `shown only: ${one}`)
}

/** R3.12: once all is done. */
export function recordedOnly(api: TinyApi): string[] {
  const shown = shownPairs(api)
  return recordedPairs(api)
    .filter((one) => !shown.includes(one))
    .map((one) => `recorded only: ${one}`)
}

const shownPairs = (api: TinyApi): string[] =>
  shownIn(api).flatMap(({ uid, ips }) => ips.map((ip) => `${ip} ${uid}`))

const recordedPairs = (api: TinyApi): string[] =>
  recordedIn(api).flatMap(({ address, holders }) => holders.map(({ uid }) => `${address} ${uid}`))
