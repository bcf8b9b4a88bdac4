// What can users, leaders and the network do to claims? Chance decides, the same for the same seed;
// after each step nothing may be broken, and at rest nothing may be left over.
import { pick, seeded } from '../kube/seeded.ts'
import {
  asks,
  pool,
  recordedOnly,
  recordedTwice,
  service,
  shares,
  shownIn,
  shownOnly,
  shownTwice,
} from './claimObjects.ts'
import { type Step, takeOne } from './lateClient.ts'
import { Leader } from './leaders.ts'
import { TinyApi } from './tinyApi.ts'

export type Run = {
  readonly seed: number
  readonly leaders: number
  readonly kills: number
  /** Of 10 changes, how many are to the pool. */
  readonly pools: number
  /** Of 10 requests, how many get no answer. */
  readonly lost: number
}

const calm = { leaders: 1, kills: 0, pools: 2, lost: 0 }

export const troubles: readonly { readonly title: string; readonly run: Omit<Run, 'seed'> }[] = [
  { title: '[P1] one leader with late watches', run: calm },
  { title: '[P1] two leaders at once', run: { ...calm, leaders: 2 } },
  {
    title: '[R3.12] two leaders while a pool comes and goes',
    run: { ...calm, leaders: 2, pools: 8 },
  },
  { title: '[P1] leaders that end between any two steps', run: { ...calm, kills: 4, pools: 4 } },
  {
    title: '[P1] two leaders, and one answer in five is lost',
    run: { ...calm, leaders: 2, pools: 4, lost: 2 },
  },
]

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
  const key = at < 3 ? shares : {}
  const asked = `10.0.${pick(random, 2)}.${2 + pick(random, 2)}`
  const annotations = { ...key, ...(pick(random, 2) === 0 ? asks(asked) : {}) }
  const isToGo = before !== undefined && pick(random, 4) === 0
  if (isToGo) api.remove('Service', name)
  else api.put(service({ name, annotations, port: 80 + pick(random, 2) }, before))
}

/** Answers what was broken since it was last asked. */
function witness(api: TinyApi): () => string[] {
  const stayed = new Map<string, string[]>()
  return () => {
    const all = shownIn(api)
    const moved = all.flatMap(({ name, ips }) => {
      const before = stayed.get(name) ?? []
      if (name.startsWith('stay-')) stayed.set(name, ips)
      return before.every((ip) => ips.includes(ip)) ? [] : [`${name} had ${before}, has ${ips}`]
    })
    return [...shownTwice(all), ...shownOnly(api), ...recordedTwice(api), ...moved]
  }
}

/** Throws at the first step after which a promise is broken. */
export async function history({ seed, leaders: count, kills, pools, lost }: Run): Promise<void> {
  const random = seeded(seed)
  const api = new TinyApi()
  api.put(pool('p', ['10.0.0.0/30', 'fd01::/126']))
  for (const name of ['stay-0', 'stay-1']) api.put(service({ name, isPair: name === 'stay-0' }))
  let made = 0
  const start = () => {
    const leader = new Leader(api, `leader ${made++}`, random)
    leader.client.lost = lost
    return leader
  }
  const leaders = Array.from({ length: count }, start)
  const taken: string[] = []
  const fail = (what: string) => {
    throw new Error(`seed ${seed}: ${what}\n${taken.slice(-80).join('\n')}`)
  }
  const broken = witness(api)
  const takeSteps = async (extra: () => readonly Step[], most: number) => {
    for (let left = most; ; left--) {
      const steps = [...extra(), ...leaders.flatMap((leader) => leader.steps)]
      if (steps.length === 0) break
      if (left === 0) fail('does not come to rest')
      const step = await takeOne(steps, random)
      taken.push(step?.title ?? '')
      const wrongs = broken()
      if (wrongs.length > 0) fail(wrongs.join('; '))
    }
    const left = recordedOnly(api)
    if (left.length > 0) fail(left.join('; '))
  }
  let [changes, dying] = [30, kills]
  const user: Step = {
    title: 'a user changes something',
    run() {
      changes--
      if (pick(random, 10) < pools) changePool(api)
      else change(api, random)
    },
  }
  const end: Step = {
    title: 'a leader ends',
    run() {
      dying--
      leaders[pick(random, leaders.length)]?.kill()
      leaders.push(start())
    },
  }
  await takeSteps(() => {
    const ending = dying > 0 && pick(random, 10) === 0 ? [end] : []
    return [...(changes > 0 ? [user] : []), ...ending]
  }, 20_000)
  for (const leader of leaders) leader.kill()
  leaders.push(start())
  await takeSteps(() => [], 5_000)
}
