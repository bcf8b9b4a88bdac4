// What can users, leaders and the network do to the addresses of hosts? Chance decides, the same for
// the same seed; after each step no address may be twice, and at rest nothing may be left over.
import { pick, seeded } from '../kube/seeded.ts'
import { HostLeader } from './hostLeader.ts'
import { brokenIn, configIn, host, leftIn, namespaceOf, ownerOf, uidOf } from './hostObjects.ts'
import { type Step, takeOne } from './lateClient.ts'
import { metaOf, TinyApi } from './tinyApi.ts'

type Trouble = {
  readonly leaders: number
  readonly kills: number
  /** Of 10 requests, how many get no answer. */
  readonly lost: number
}
export type HostRun = Trouble & { readonly seed: number }

const calm: Trouble = { leaders: 1, kills: 0, lost: 0 }

export const hostTroubles: readonly { readonly title: string; readonly run: Trouble }[] = [
  { title: '[R12.5] one leader with late watches', run: calm },
  { title: '[R12.5] two leaders at once', run: { ...calm, leaders: 2 } },
  { title: '[R12.5] leaders that end between any two steps', run: { ...calm, kills: 4 } },
  {
    title: '[R12.5] two leaders, one answer in five is lost',
    run: { ...calm, leaders: 2, lost: 2 },
  },
  { title: '[R12.5] all of these', run: { leaders: 2, kills: 3, lost: 1 } },
]

const namespaces = ['red', 'blue']

/** A host comes, goes, or is made again under its name. */
function change(api: TinyApi, random: () => number): void {
  const namespace = namespaces[pick(random, 2)] ?? ''
  const name = `${namespace}-${pick(random, 4)}`
  const isThere = api.get('IPSet', name) !== undefined
  if (isThere) api.remove('IPSet', name)
  if (!isThere || pick(random, 2) === 0) api.put(host(namespace, name))
}

/** What has lost its owner goes, some time later. */
function collections(api: TinyApi): Step[] {
  const alive = new Set(api.all('IPSet').map(uidOf))
  return api
    .all('Reservation')
    .filter((json) => !alive.has(ownerOf(json)))
    .map((json) => {
      const { name } = metaOf(json)
      return {
        title: `Reservation ${name} is collected`,
        run: () => api.remove('Reservation', name),
      }
    })
}

/** Throws at the first step after which a promise is broken. */
export async function hostHistory({ seed, leaders: count, kills, lost }: HostRun): Promise<void> {
  const random = seeded(seed)
  const api = new TinyApi()
  for (const name of namespaces) {
    api.put(namespaceOf(name))
    api.put(configIn(name))
  }
  let made = 0
  const start = () => {
    const leader = new HostLeader(api, `leader ${made++}`, random)
    leader.client.lost = lost
    return leader
  }
  const leaders = Array.from({ length: count }, start)
  const taken: string[] = []
  const fail = (what: string) => {
    throw new Error(`seed ${seed}: ${what}\n${taken.slice(-80).join('\n')}`)
  }
  const takeSteps = async (extra: () => readonly Step[], most: number) => {
    for (let left = most; ; left--) {
      const own = leaders.flatMap((leader) => leader.steps)
      const steps = [...extra(), ...collections(api), ...own]
      if (steps.length === 0) break
      if (left === 0) fail('does not come to rest')
      const step = await takeOne(steps, random)
      taken.push(step?.title ?? '')
      const wrongs = brokenIn(api)
      if (wrongs.length > 0) fail(wrongs.join('; '))
    }
    const wrongs = leftIn(api)
    if (wrongs.length > 0) fail(wrongs.join('; '))
  }
  let [changes, dying] = [30, kills]
  const user: Step = {
    title: 'a user changes something',
    run() {
      changes--
      change(api, random)
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
