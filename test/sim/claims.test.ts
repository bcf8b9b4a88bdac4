// Does a claim hold whatever happens between any two of its steps? Two leaders, late watches, a
// leader that ends, users who change their minds: no address is ever shown by two Services that may
// not share it (P1), none is taken from who did not change (P2), and at rest all is recorded.
import { expect, test } from 'vitest'
import { pick, seeded } from '../kube/seeded.ts'
import { Leader, type Step, takeOne } from './leaders.ts'
import { type Json, metaOf, TinyApi } from './tinyApi.ts'

const pool = (name: string, addresses: readonly string[], autoAssign: boolean): Json => ({
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name, namespace: 'metallb-system' },
  spec: { addresses, autoAssign },
})

type Wanted = { readonly name: string; readonly annotations: Json; readonly port: number }

const service = ({ name, annotations, port }: Wanted, before?: Json): Json => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'a', annotations: { ...kept(before), ...annotations } },
  spec: {
    type: 'LoadBalancer',
    ports: [{ port }],
    clusterIPs: name === 'stay-0' ? ['10.96.0.1', 'fd00::1'] : ['10.96.0.1'],
    ipFamilyPolicy: name === 'stay-0' ? 'PreferDualStack' : 'SingleStack',
    ipFamilies: ['IPv4'],
  },
  ...(before?.['status'] === undefined ? {} : { status: before['status'] }),
})

const fromPool = 'metallb.io/ip-allocated-from-pool'
const kept = (before: Json | undefined): Json => {
  const annotations = (before === undefined ? {} : metaOf(before)['annotations']) as
    | Json
    | undefined
  return annotations?.[fromPool] === undefined ? {} : { [fromPool]: annotations[fromPool] }
}

/** A pool that comes and goes: its claims are given up although no Service has changed. */
function changePool(api: TinyApi): void {
  const metadata = { name: 'q' }
  if (api.get('IPAddressPool', 'q') === undefined) {
    api.remove('ReleasedPool', 'q')
    api.put(pool('q', ['10.0.1.2/31'], false))
  } else {
    api.remove('IPAddressPool', 'q')
    api.put({ apiVersion: 'berth.dev/v1alpha1', kind: 'ReleasedPool', metadata })
  }
}

/** One that comes, goes, or wants another port, key or address. */
function change(api: TinyApi, random: () => number): void {
  const at = pick(random, 5)
  const name = `s${at}`
  const before = api.get('Service', name)
  // Not the user's to change here, so that whoever shares was allowed to when it was given.
  const key = at < 3 ? { 'metallb.io/allow-shared-ip': 'k' } : {}
  const asked = `10.0.${pick(random, 2)}.${2 + pick(random, 2)}`
  const ask = pick(random, 2) === 0 ? { 'metallb.io/loadBalancerIPs': asked } : {}
  const annotations = { ...key, ...ask }
  const isToGo = before !== undefined && pick(random, 4) === 0
  if (isToGo) api.remove('Service', name)
  else api.put(service({ name, annotations, port: 80 + pick(random, 2) }, before))
}

type Shown = { name: string; uid: string; key: string; ips: string[]; ports: string[] }

const shownIn = (api: TinyApi): Shown[] =>
  api.all('Service').map((json) => {
    const { name, uid = '', annotations = {} } = metaOf(json)
    const { ports } = json['spec'] as { ports: { port: number }[] }
    const status = (json['status'] ?? {}) as { loadBalancer?: { ingress?: { ip: string }[] } }
    return {
      name,
      uid,
      key: String((annotations as Json)['metallb.io/allow-shared-ip'] ?? ''),
      ips: (status.loadBalancer?.ingress ?? []).map(({ ip }) => ip),
      ports: ports.map(({ port }) => `TCP/${port}`),
    }
  })

type Recorded = { address: string; sharingKey: string; holders: { uid: string; ports: string[] }[] }
const recordedIn = (api: TinyApi): Recorded[] =>
  api.all('Address').map(({ spec }) => spec as Recorded)

/** Ports are the user's to change at any time: only what is recorded is judged by them. */
function shownTwice(all: readonly Shown[]): string[] {
  return all.flatMap((one, index) =>
    all.slice(0, index).flatMap((other) => {
      const mayShare = one.key !== '' && one.key === other.key
      const both = one.ips.filter((ip) => !mayShare && other.ips.includes(ip))
      return both.map((ip) => `${ip} is shown by ${one.name} and ${other.name}`)
    }),
  )
}

/** R3.11: whoever is added conflicts with nobody who is there. */
const recordedTwice = (api: TinyApi): string[] =>
  recordedIn(api).flatMap(({ address, sharingKey, holders }) => {
    const ports = holders.flatMap((holder) => holder.ports)
    const isApart = sharingKey !== '' && new Set(ports).size === ports.length
    return holders.length < 2 || isApart ? [] : [`${address} is recorded for two that conflict`]
  })

function unrecorded(api: TinyApi): string[] {
  const shown = shownIn(api).flatMap(({ uid, ips }) => ips.map((ip) => `${ip} ${uid}`))
  const recorded = recordedIn(api).flatMap(({ address, holders }) =>
    holders.map(({ uid }) => `${address} ${uid}`),
  )
  return [
    ...shown.filter((one) => !recorded.includes(one)).map((one) => `shown only: ${one}`),
    ...recorded.filter((one) => !shown.includes(one)).map((one) => `recorded only: ${one}`),
  ]
}

type Run = {
  readonly seed: number
  readonly leaders: number
  readonly kills: number
  /** Of 10 changes, how many are to the pool. */
  readonly pools: number
}

async function history({ seed, leaders: count, kills, pools }: Run): Promise<void> {
  const random = seeded(seed)
  const api = new TinyApi()
  api.put(pool('p', ['10.0.0.0/30', 'fd01::/126'], true))
  for (const name of ['stay-0', 'stay-1']) api.put(service({ name, annotations: {}, port: 80 }))
  let made = 0
  const start = () => new Leader(api, `leader ${made++}`, random)
  const leaders = Array.from({ length: count }, start)
  const taken: string[] = []
  const stayed = new Map<string, string[]>()
  const broken = (): string[] => {
    const all = shownIn(api)
    const moved = all.flatMap(({ name, ips }) => {
      const before = stayed.get(name) ?? []
      if (name.startsWith('stay-')) stayed.set(name, ips)
      return before.every((ip) => ips.includes(ip)) ? [] : [`${name} had ${before}, has ${ips}`]
    })
    return [...shownTwice(all), ...recordedTwice(api), ...moved]
  }
  const takeSteps = async (extra: (left: number) => readonly Step[], most: number) => {
    for (let left = most; ; left--) {
      const steps = [...extra(left), ...leaders.flatMap((leader) => leader.steps)]
      if (steps.length === 0) return
      if (left === 0)
        throw new Error(`seed ${seed} does not come to rest\n${taken.slice(-30).join('\n')}`)
      const step = await takeOne(steps, random)
      taken.push(step?.title ?? '')
      const wrongs = broken()
      if (wrongs.length > 0)
        throw new Error(`seed ${seed}: ${wrongs}\n${taken.slice(-80).join('\n')}`)
    }
  }
  let dying = kills
  const kill = () => {
    dying--
    leaders[pick(random, leaders.length)]?.kill()
    leaders.push(start())
  }
  let changes = 30
  await takeSteps(() => {
    const user: Step = {
      title: 'a user changes something',
      run() {
        changes--
        if (pick(random, 10) < pools) changePool(api)
        else change(api, random)
      },
    }
    return [
      ...(changes > 0 ? [user] : []),
      ...(dying > 0 && pick(random, 10) === 0 ? [{ title: 'a leader ends', run: kill }] : []),
    ]
  }, 20_000)
  for (const leader of leaders) leader.kill()
  leaders.push(start())
  await takeSteps(() => [], 5_000)
  expect(unrecorded(api), `seed ${seed}`).toEqual([])
}

const first = Array.from({ length: 40 }, (_, index) => index + 1)

/** Some seeds are there because they show what becomes of it without a certain guard. */
test.each([
  {
    title: '[P1] one leader with late watches',
    seeds: [...first, 86],
    leaders: 1,
    kills: 0,
    pools: 2,
  },
  { title: '[P1] two leaders at once', seeds: [...first, 45, 125], leaders: 2, kills: 0, pools: 2 },
  {
    title: '[R3.12] two leaders while a pool comes and goes',
    seeds: [...first, 239],
    leaders: 2,
    kills: 0,
    pools: 8,
  },
  {
    title: '[P1] leaders that end between any two steps',
    seeds: [...first, 116],
    leaders: 1,
    kills: 4,
    pools: 4,
  },
])(
  '$title',
  async ({ seeds, ...run }) => {
    for (const seed of seeds) await history({ ...run, seed })
  },
  60_000,
)
