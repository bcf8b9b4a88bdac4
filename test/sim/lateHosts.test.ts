// Proves what a leader whose watches are behind may not write for hosts (R12.5, R12.6): a second claim
// of an address, or a Reservation from a claim that is another's by now.

import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { BlockClaims } from '../../src/app/openstack/blockClaims.ts'
import { IpamWorker } from '../../src/app/openstack/ipamWorker.ts'
import { NodeRecords } from '../../src/app/openstack/nodeRecords.ts'
import type { Kind } from '../../src/core/model/view.ts'
import { World } from '../../src/core/model/world.ts'
import { coreDeciders, hostClaimsAmong } from '../../src/core/policy/deciders.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { Versions } from '../../src/edge/kube/feed/versions.ts'
import { WritePace } from '../../src/edge/kube/write/writePace.ts'
import { type Json, metaOf, TinyApi } from './tinyApi.ts'

const openstack = { apiVersion: 'network.openstack.org/v1beta1' }
const place = { network: 'net', subnet: 's' }
const range = { start: '10.0.0.10', end: '10.0.0.20' }
const block = 'namespace.red.10.0.0.0'
const meta = (name: string) => ({ name, namespace: 'red' })

const config: Json = {
  ...{ ...openstack, kind: 'NetConfig', metadata: meta('netconfig') },
  spec: {
    networks: [
      { name: 'net', subnets: [{ name: 's', cidr: '10.0.0.0/24', allocationRanges: [range] }] },
    ],
  },
}
const host = (name: string): Json => ({
  ...{ ...openstack, kind: 'IPSet', metadata: meta(name) },
  spec: { networks: [{ name: 'net', subnetName: 's' }] },
})
const reservation = (name: string, uid: string, address: string): Json => ({
  ...{ ...openstack, kind: 'Reservation' },
  metadata: { ...meta(name), ownerReferences: [{ kind: 'IPSet', name, uid, controller: true }] },
  spec: { ipSetRef: {}, reservation: { net: { ...place, address } } },
})
const claimed = (...holders: readonly (readonly [string, string, string])[]): Json => ({
  ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'AddressBlock', metadata: { name: block } },
  spec: {
    ...{ wire: 'namespace/red', first: '10.0.0.0' },
    holders: holders.map(([name, uid, address]) => ({
      ...{ address, namespace: 'red', name, uid, network: 'net' },
    })),
  },
})

const watched = ['NetConfig', 'IPSet', 'Reservation', 'AddressBlock']

function standOf() {
  const api = new TinyApi()
  const world = new World(settings)
  const versions = new Versions()
  const put = (json: Json): string => {
    api.put(json)
    return String(metaOf(api.get(String(json['kind']), metaOf(json).name) ?? {})['uid'])
  }
  /** What its watches have told so far: all that there is, or no more than the one. */
  const see = (only?: string): void => {
    for (const json of watched.flatMap((kind) => api.all(kind))) {
      if (only !== undefined && only !== `${json['kind']} ${metaOf(json).name}`) continue
      const decoded = decode(json)
      if (decoded.kind !== 'view') throw new Error(`not decoded: ${JSON.stringify(json)}`)
      versions.isNews(decoded.view, json)
      world.apply({ type: 'upsert', view: decoded.view })
    }
  }
  const forget = (kind: Kind, name: string): void =>
    world.apply({ type: 'delete', kind, key: `red/${name}` })
  const asked = {
    call: async (request: Parameters<Api['call']>[0]) => {
      await turn()
      return api.serve(request)
    },
  } as Api
  const records = new NodeRecords({ api: asked, world, versions, mayWrite: () => true })
  /** How many Reservations were known whenever others were told to look. */
  const reserved: number[] = []
  const [timestamp, nowMs, sleep] = [() => '2026-01-01T00:00:00Z', () => 0, () => turn()]
  const deciders = hostClaimsAmong(coreDeciders)
  const worker = new IpamWorker({
    ...{ world, deciders, records, timestamp, pace: new WritePace(() => 0) },
    claims: new BlockClaims({ world, decider: deciders.blocks, records, timestamp, nowMs, sleep }),
    keep: async () => undefined,
    clock: { nowMs, sleep },
    mayWrite: () => true,
    say: () => undefined,
    failed: () => undefined,
    parked: (_, error) => {
      throw error
    },
    decided: () => undefined,
    entered: () => void reserved.push(world.all('Reservation').size),
  })
  const work = async (): Promise<void> => {
    worker.pump()
    for (let turns = 0; turns < 200; turns++) await turn()
  }
  return { api, put, see, forget, work, reserved }
}

type Told = { readonly json: Json }
const holdersIn = ({ json }: Told): readonly string[] =>
  ((json['spec'] as { holders: readonly { address: string; name: string }[] }).holders ?? []).map(
    ({ address, name }) => `${address} ${name}`,
  )

/** Host a has an address, and goes; b gets the address. */
function handedOn() {
  const stand = standOf()
  const { api, put, see } = stand
  put(config)
  const old = put(host('a'))
  put(reservation('a', old, '10.0.0.10'))
  put(claimed(['a', old, '10.0.0.10']))
  see()
  for (const kind of ['IPSet', 'Reservation']) api.remove(kind, 'a')
  const other = put(host('b'))
  put(claimed(['b', other, '10.0.0.10']))
  put(reservation('b', other, '10.0.0.10'))
  return stand
}

const claims = (api: TinyApi) => (api.told.get('AddressBlock') ?? []).map(holdersIn)

describe('a leader that is behind', () => {
  test('[R12.5] claims no address twice for the sake of a Reservation that is gone', async () => {
    const { api, put, see, work } = handedOn()
    put(host('a'))
    see('IPSet a')
    await work()
    const addresses = claims(api).map((all) => all.map((one) => one.split(' ')[0]))
    expect(addresses.filter((all) => new Set(all).size < all.length)).toEqual([])
    expect(claims(api).at(-1)).toEqual(['10.0.0.10 b', '10.0.0.11 a'])
  })

  test('[R12.6] makes no Reservation of what was claimed long ago and is now another one', async () => {
    const { api, forget, work } = handedOn()
    forget('Reservation', 'a')
    await work()
    expect(api.all('Reservation').map((json) => metaOf(json).name)).toEqual(['b'])
  })

  test('[R12.5] tells the others to look at what the API answered, of which it hears no more', async () => {
    const { put, see, work, reserved } = standOf()
    put(config)
    put(host('a'))
    see()
    await work()
    expect(reserved.at(-1)).toBe(1)
  })
})
