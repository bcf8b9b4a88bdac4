// What does the controller do for OpenStack? Addresses for hosts, names, and routes to pods, on the
// resources that its operators use, unless infra-operator does it.
import type { Decider } from '../../core/policy/decider.ts'
import { hostClaimsAmong, openstackDeciders } from '../../core/policy/deciders.ts'
import { usualImages } from '../../core/policy/names/decideDnsMasq.ts'
import type { Images } from '../../core/policy/names/serverDeployment.ts'
import { watchedKinds } from '../../edge/kube/feed/watchedKinds.ts'
import { kinds, rowOf } from '../../edge/kube/kinds.ts'
import type { ExtensionParts } from '../../edge/kube/write/extensionParts.ts'
import { WritePace } from '../../edge/kube/write/writePace.ts'
import { BlockClaims } from './blockClaims.ts'
import { DnsPods } from './dnsPods.ts'
import { InfraOperator, operatorNamespaces } from './infraOperator.ts'
import { IpamWorker } from './ipamWorker.ts'
import { neededKinds, whatIsMissing } from './neededKinds.ts'
import { NodeRecords } from './nodeRecords.ts'
import { PodFeeds } from './podFeeds.ts'
import { StickyPods } from './stickyPods.ts'

/**
 * - auto: serve where the kinds and the rights are there.
 * - serve: the same, and say what is missing.
 * - observe: count everything, write nothing.
 */
type OpenstackMode = 'auto' | 'serve' | 'observe'

/** In logs and metrics. */
const claimed = 'ipsets'
const observing =
  '--openstack=observe: hosts and names are counted, and nothing is written for them'

const completedKind = `${rowOf('Pod').group}/${rowOf('Pod').kind}`

type Options = {
  readonly images?: Images
  /** Where infra-operator may run. */
  readonly namespaces?: readonly string[]
}

export const openstack = (
  mode: OpenstackMode,
  { images = usualImages, namespaces = operatorNamespaces }: Options = {},
) => ({
  watched: watchedKinds(kinds, 'openstack', ''),
  start(parts: ExtensionParts, list: readonly Decider[]) {
    const { api, world, versions, keep, clock, random, timestamp, say, troubles, log } = parts
    const stop = new AbortController()
    if (mode === 'observe') log({ level: 'info', object: 'openstack', message: observing })
    const changed = () => pump()
    const lookout = { api, clock, random, timestamp, namespaces, log, changed }
    const beside = new InfraOperator(lookout)
    const mayWrite = () => mode !== 'observe' && beside.isAlone
    const mayReserve = () => mayWrite() && parts.mayWrite() && neededKinds.every(parts.isServed)
    const records = new NodeRecords({ api, world, versions, mayWrite: mayReserve })
    const sleep = (ms: number) => clock.sleep(ms, stop.signal)
    const { nowMs } = clock
    const deciders = hostClaimsAmong(list)
    const decider = deciders.blocks
    const claims = new BlockClaims({ world, decider, records, timestamp, nowMs, sleep })
    const worker = new IpamWorker({
      world,
      deciders,
      records,
      claims,
      keep,
      pace: new WritePace(random),
      clock,
      timestamp,
      mayWrite: mayReserve,
      say,
      failed: (object, error) => troubles.failed(claimed, object, error),
      parked: (object, error) => troubles.park(claimed, object, error),
      decided: (object) => troubles.over(claimed, object),
      entered: parts.changed,
    })
    let told = ''
    const tellMissing = (): void => {
      const now = parts.isIn() ? whatIsMissing(parts.isServed) : ''
      if (now !== '' && now !== told) log({ level: 'warn', object: 'openstack', message: now })
      told = now
    }
    const pump = (): void => {
      tellMissing()
      worker.pump()
    }
    const mayAsk = () => mayWrite() && neededKinds.every(parts.isServed)
    const pods = new StickyPods({ api, world, clock, mayAsk, isIn: parts.isIn })
    const podFeeds = new PodFeeds(parts)
    const dnsPods = new DnsPods(parts)
    return {
      completions: new Map([[completedKind, pods.complete]]),
      deciders: openstackDeciders({ images, podsKnown: podFeeds.known }),
      mayWrite,
      isQuiet: () => podFeeds.isIn && (!mayReserve() || worker.isQuiet),
      isBusy: () => mayReserve() && worker.isBusy,
      complaints: () => {
        const said = mode === 'serve' ? whatIsMissing(parts.isServed) : ''
        return said === '' ? [] : [`--openstack=serve: ${said}`]
      },
      pump,
      async run(signal: AbortSignal): Promise<void> {
        signal.addEventListener('abort', () => stop.abort(), { once: true })
        const [feeds, servers] = [podFeeds.run(signal), dnsPods.run(signal)]
        await Promise.all([beside.run(signal), worker.run(signal), feeds, servers])
      },
    }
  },
})
