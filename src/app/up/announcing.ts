// How does a single machine answer for the addresses of its Services? With the speaker that runs on
// the nodes of a cluster; here it is the only one.
import type { Settings } from '../../core/model/world.ts'
import { arpFilter } from '../../edge/host/packet/filters.ts'
import { PacketFault } from '../../edge/host/packet/packetFault.ts'
import { openPacketSocket } from '../../edge/host/packet/packetSocket.ts'
import type { Connection } from '../../edge/kube/api/connection.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { excludedInterfaces } from '../speaker/layer2/excludedInterfaces.ts'
import { runSpeaker } from '../speaker/runSpeaker.ts'
import { keptRunning } from './keptRunning.ts'
import { thisMachine } from './machine.ts'

type AnnouncingParts = {
  readonly connection: Connection
  readonly settings: Settings
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** Reports the interfaces, at the start and whenever they change. */
  readonly say: (line: string) => void
}

export type Announcing = { readonly stop: () => Promise<void> }

/** Nobody could take over, so a machine that is busy for a while keeps answering. */
const alone = {
  by: 'alone',
  bind: undefined,
  port: 0,
  keyFile: undefined,
  timing: { beatMs: 1_000, timeoutMs: 30_000 },
} as const
const unserved = { metrics: undefined, probes: undefined }
const patienceMs = 5_000

/** Throws with a remedy, before anything is started: otherwise it would seem to announce. */
export function mayAnnounce(): void {
  const ignored = () => undefined
  try {
    // Briefly on every interface: it takes the same capability as one.
    const trial = { interfaceIndex: 0, filter: arpFilter, onFrame: ignored, onEnd: ignored }
    openPacketSocket(trial).close()
  } catch (error) {
    if (!(error instanceof PacketFault)) throw error
    const isForbidden = ['EPERM', 'EACCES'].includes(error.code)
    const why = isForbidden
      ? `raw sockets are not allowed (${error.code}). ${remedy}`
      : error.message
    throw new Fault(`--announce: ${why}`, { cause: error })
  }
}

const remedy =
  'Start it as root, or with the capability NET_RAW ' +
  '(AmbientCapabilities=CAP_NET_RAW in a systemd unit)'

/** Resolves once it has reported on which interfaces it answers. */
export async function startAnnouncing(parts: AnnouncingParts): Promise<Announcing> {
  const { connection, settings, log, say } = parts
  const stop = new AbortController()
  const { signal } = stop
  const excluded = await excludedInterfaces(undefined)
  let onOpen: (interfaces: readonly string[], closed: readonly string[]) => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    const late = setTimeout(() => {
      say('cannot answer yet; retrying')
      resolve()
    }, patienceMs)
    onOpen = (interfaces, closed) => {
      if (interfaces.length === 0 && closed.length > 0) return
      clearTimeout(late)
      say(lineOf(interfaces))
      resolve()
    }
  })
  const run = {
    connection,
    settings,
    node: thisMachine().hostname,
    pod: undefined,
    members: alone,
    excluded,
    refreshMs: undefined,
    shouldAnnounceAnyway: false,
    shouldIgnoreExcludeLabel: false,
    bgp: { by: 'berth', style: 'frr', listenPort: undefined } as const,
    drainMs: 0,
    ports: unserved,
    onOpen,
    log,
    signal,
  }
  const running = keptRunning('speaker', { log, signal, run: () => runSpeaker(run) })
  await opened
  return {
    async stop() {
      stop.abort()
      await running
    },
  }
}

const lineOf = (interfaces: readonly string[]): string =>
  interfaces.length === 0
    ? 'has no interface to answer on: all are down or excluded'
    : `answers for addresses of Services on ${interfaces.join(', ')}`
