// berth controller --shadow: beside a MetalLB controller that runs, everything but the writes.
import { type Settings, World } from '../../core/model/world.ts'
import { checkHeld } from '../../core/policy/check/check.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { watch } from '../../edge/kube/api/watch.ts'
import { Feed } from '../../edge/kube/feed/feed.ts'
import { plainSink, ValidatedSink } from '../../edge/kube/feed/validatedSink.ts'
import { Versions } from '../../edge/kube/feed/versions.ts'
import type { WatchedKind } from '../../edge/kube/feed/watchedKinds.ts'
import { controllerKinds } from './controllerKinds.ts'
import { type Difference, Shadow } from './shadow.ts'

type ShadowParts = {
  readonly api: Api
  readonly settings: Settings
  readonly clock: Clock
  readonly random: () => number
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

const roundMs = 1_000

/** Until the signal aborts. It takes no lease: any number of them may look. */
export async function runShadow(parts: ShadowParts, signal: AbortSignal): Promise<void> {
  const { settings, clock, log } = parts
  const world = new World(settings)
  const shadow = new Shadow(world, clock.nowMs)
  const validated = new ValidatedSink(world, checkHeld)
  const versions = new Versions()
  const feeds = shadowedKinds(settings).map((watched) => {
    const { kind, isOptional, isValidated } = watched
    const sink = isValidated ? validated : plainSink(world)
    return { watched, feed: new Feed({ kind, isOptional, sink, versions }) }
  })
  const tell = (differences: readonly Difference[]): void => {
    for (const one of differences) log({ level: 'warn', message: 'differs', ...one })
  }
  const follow = async ({ watched, feed }: (typeof feeds)[number]): Promise<void> => {
    const { random, api } = parts
    for await (const step of watch(api, watched.resource, { signal, clock, random })) {
      const before = feed.fault?.message
      feed.take(step)
      const { fault } = feed
      if (fault === undefined || fault.message === before) continue
      log({ level: feed.isIn ? 'info' : 'warn', kind: watched.kind, message: fault.message })
    }
  }
  const round = async (): Promise<void> => {
    let compared = 'nothing yet'
    for (; !signal.aborted; await clock.sleep(roundMs, signal)) {
      if (!feeds.every(({ feed }) => feed.isIn)) continue
      if (compared === 'nothing yet') validated.open()
      tell([...shadow.round(), ...shadow.overdue()])
      const services = [...world.services.values()].filter((one) => world.isOurs(one)).length
      const sum = { services, differing: shadow.differing }
      if (JSON.stringify(sum) !== compared) log({ level: 'info', message: 'compared', ...sum })
      compared = JSON.stringify(sum)
    }
  }
  await Promise.all([round(), ...feeds.map(follow)])
}

/** What is ours alone need not be installed yet. */
const shadowedKinds = ({ ownNamespace }: Settings): WatchedKind[] =>
  controllerKinds(ownNamespace).map((watched) => {
    const isOurs = watched.resource.group === 'berth.dev'
    return isOurs ? { ...watched, isOptional: true } : watched
  })
