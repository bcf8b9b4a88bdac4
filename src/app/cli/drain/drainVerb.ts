// berth drain, berth undrain: nothing is announced on a node any more, and the way back (R8.4).
import { setTimeout } from 'node:timers/promises'
import { excludeLabel } from '../../../core/model/node.ts'
import type { Key } from '../../../core/model/service.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import type { Exit, Io } from '../io.ts'
import { apiOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { type Arguments, textOf, UsageError, type Verb } from '../verb.ts'
import { type Announcements, announcementsIn } from './announcedOn.ts'
import { readMark, removeMark, setMark } from './drainLabel.ts'

const usualSeconds = 60
const pauseMs = 200
/** Said of it anew no more often than this. */
const sayEveryMs = 2_000
const followMs = 5_000

export const drainVerb: Verb = {
  name: 'drain',
  summary: 'let other nodes announce what a node announces',
  usage: ['drain NODE [--timeout SECONDS] [--context NAME] [--kubeconfig FILE]'],
  description: `
Sets the label ${excludeLabel}
of the node to 'berth-drain' and waits until nothing is announced there. Each address is taken over
before it is given up: no connection attempt is lost. 'berth undrain' takes the label away.

A node that has the label with another value is not touched: somebody else has excluded it.

Exit status: 0 nothing is announced there; 1 it could not be done, or not in time.`,
  examples: ['berth drain worker-3', 'berth drain worker-3 --timeout 300'],
  options: {
    ...apiOptions,
    timeout: {
      type: 'string',
      value: 'SECONDS',
      help: `how long to wait, ${usualSeconds} when not given`,
    },
  },
  async run(args, io): Promise<Exit> {
    const node = nodeOf(args)
    const withinMs = secondsOf(args) * 1000
    const { ownNamespace } = liveSettings(args, io)
    return withLive(args, io, async ({ api }) => {
      const announcements = announcementsIn(api, ownNamespace, io.signal)
      const before = await announcements.on(node)
      const why = await mark(api, node)
      if (why !== undefined) {
        io.err(`berth: ${why}\n`)
        return 1
      }
      return waitUntilEmpty({ node, withinMs, announcements, before }, io)
    })
  },
}

export const undrainVerb: Verb = {
  name: 'undrain',
  summary: 'let a node announce again',
  usage: ['undrain NODE [--context NAME] [--kubeconfig FILE]'],
  description: `
Takes away the label that 'berth drain' has set; one with another value stays, and so does the node
as it is. Addresses move back to where the election puts them.

Exit status: 0 the label is not there; 1 it is somebody else's, or it could not be taken away.`,
  examples: ['berth undrain worker-3'],
  options: apiOptions,
  async run(args, io): Promise<Exit> {
    const node = nodeOf(args)
    return withLive(args, io, async ({ api }) => {
      const found = await readMark(api, node)
      if (found.kind === 'no-node' || found.kind === 'another') {
        io.err(`berth: ${refusal(node, found)}\n`)
        return 1
      }
      if (found.kind === 'ours') await removeMark(api, node)
      io.out(`${node} ${found.kind === 'ours' ? 'may announce again' : 'was not drained'}\n`)
      return 0
    })
  },
}

function nodeOf({ positionals }: Arguments): string {
  const [node, ...rest] = positionals
  if (node === undefined || rest.length > 0) throw new UsageError('name one node')
  return node
}

function secondsOf(args: Arguments): number {
  const text = textOf(args, 'timeout')
  const seconds = text === '' ? usualSeconds : Number(text)
  if (Number.isFinite(seconds) && seconds > 0) return seconds
  throw new UsageError(`--timeout is a number of seconds, not ${JSON.stringify(text)}`)
}

type Refused = { readonly kind: 'no-node' } | { readonly kind: 'another'; readonly value: string }

const refusal = (node: string, found: Refused): string =>
  found.kind === 'no-node'
    ? `there is no node ${node}`
    : `${node} is excluded by somebody else (${excludeLabel}=${found.value}): ` +
      'it announces nothing, and the label is left as it is'

/** Why it could not be done, if so. A Node changes often: another write in between is no reason. */
async function mark(api: Api, node: string): Promise<string | undefined> {
  for (;;) {
    const found = await readMark(api, node)
    if (found.kind === 'ours') return undefined
    if (found.kind !== 'none') return refusal(node, found)
    try {
      await setMark(api, node, found.resourceVersion)
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 409)) throw error
    }
  }
}

type Draining = {
  readonly node: string
  readonly withinMs: number
  readonly announcements: Announcements
  readonly before: ReadonlyMap<Key, readonly string[]>
}

async function waitUntilEmpty(draining: Draining, io: Io): Promise<Exit> {
  const { node, withinMs, announcements } = draining
  const begunMs = performance.now()
  let saidMs = begunMs
  for (;;) {
    const left = await announcements.on(node)
    if (left.size === 0) return tellMoved(draining, io)
    const nowMs = performance.now()
    if (nowMs - begunMs > withinMs || io.signal.aborted) {
      io.err(`berth: ${node} still announces ${counted(left.size)}: ${some(left)}\n`)
      io.err('It stays excluded; is a speaker running there, and can another node take over?\n')
      return 1
    }
    if (nowMs - saidMs > sayEveryMs) {
      io.err(`${counted(left.size)} to go\n`)
      saidMs = nowMs
    }
    await setTimeout(pauseMs)
  }
}

const counted = (count: number): string => (count === 1 ? '1 Service' : `${count} Services`)
const some = (left: ReadonlyMap<Key, unknown>): string =>
  [...left.keys()].sort().slice(0, 3).join(', ') + (left.size > 3 ? ', ...' : '')

/** The new ones write that they announce a moment later. */
async function tellMoved({ node, announcements, before }: Draining, io: Io): Promise<Exit> {
  const endMs = performance.now() + followMs
  for (;;) {
    const all = before.size === 0 ? new Map<Key, readonly string[]>() : await announcements.on()
    const gone = new Map([...before].filter(([service]) => !all.has(service)))
    if (gone.size === 0 || performance.now() > endMs || io.signal.aborted) {
      io.out(`${node} announces nothing; ${counted(before.size - gone.size)} moved\n`)
      if (gone.size > 0) io.err(`announced by nobody: ${counted(gone.size)}, ${some(gone)}\n`)
      return 0
    }
    await setTimeout(pauseMs)
  }
}
