// berth controller --shadow: beside a MetalLB controller that runs, everything but the writes.
import { type Settings, World } from '../../core/model/world.ts'
import { checkHeld } from '../../core/policy/check/check.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { Feeds } from '../../edge/kube/feed/feeds.ts'
import { plainSink, ValidatedSink } from '../../edge/kube/feed/validatedSink.ts'
import { Versions } from '../../edge/kube/feed/versions.ts'
import type { WatchedKind } from '../../edge/kube/feed/watchedKinds.ts'
import { controllerKinds } from './controllerKinds.ts'
import { Shadow } from './shadow.ts'
import { Troubles } from './troubles.ts'

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
  const troubles = new Troubles(log)
  const shadow = new Shadow({ world, nowMs: clock.nowMs, troubles })
  const validated = new ValidatedSink(world, checkHeld)
  const plain = plainSink(world)
  const feeds = new Feeds({
    ...parts,
    kinds: shadowedKinds(settings),
    sinkOf: ({ isValidated }) => (isValidated ? validated : plain),
    versions: new Versions(),
    opened: () => validated.open(),
    changed: () => undefined,
  })
  const round = async (): Promise<void> => {
    let compared = 'nothing yet'
    for (; !signal.aborted; await clock.sleep(roundMs, signal)) {
      if (!feeds.isIn) continue
      for (const one of [...shadow.round(), ...shadow.overdue()]) {
        log({ level: 'warn', message: 'differs', ...one })
      }
      const services = [...world.services.values()].filter((one) => world.isOurs(one)).length
      const undecided = troubles.parked.length
      const bugs = undecided > 0 ? { undecided } : {}
      const sum = { services, differing: shadow.differing, ...bugs }
      if (JSON.stringify(sum) !== compared) log({ level: 'info', message: 'compared', ...sum })
      compared = JSON.stringify(sum)
    }
  }
  await Promise.all([round(), feeds.run(signal)])
}

/** What is ours alone need not be installed yet. */
const shadowedKinds = ({ ownNamespace }: Settings): WatchedKind[] =>
  controllerKinds(ownNamespace).map((watched) => {
    const isOurs = watched.resource.group === 'berth.dev'
    return isOurs ? { ...watched, isOptional: true } : watched
  })
