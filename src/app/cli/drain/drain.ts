// How is a node drained? Its label is set, then others take over its Services (R8.4).

import { setTimeout } from 'node:timers/promises'
import { meant } from '../../../core/model/meant.ts'
import { excludeLabel } from '../../../core/model/node.ts'
import type { Key } from '../../../core/model/service.ts'
import { counted } from '../../../core/net/counted.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import type { Exit, Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'
import { type Announcements, announcementsIn } from './announcedOn.ts'
import { readMark, removeMark, setMark } from './drainLabel.ts'

const pauseMs = 200
/** How often progress is reported. */
const sayEveryMs = 2_000
const followMs = 5_000

type DrainOptions = {
  readonly node: string
  readonly withinMs: number
  readonly ownNamespace: string
}

export async function drain(api: Api, options: DrainOptions, io: Io): Promise<Exit> {
  const { node, withinMs, ownNamespace } = options
  const announcements = announcementsIn(api, ownNamespace, io.signal)
  const before = await announcements.on(node)
  const refused = await mark(api, node)
  if (refused !== undefined) return refuse(api, { ...refused, node }, io)
  return waitUntilEmpty({ node, withinMs, announcements, before }, io)
}

export async function undrain(api: Api, node: string, io: Io): Promise<Exit> {
  const found = await readMark(api, node)
  if (found.kind === 'no-node' || found.kind === 'another') {
    return refuse(api, { ...found, node }, io)
  }
  if (found.kind === 'ours') await removeMark(api, node)
  io.out(`${node} ${found.kind === 'ours' ? 'may announce again' : 'was not drained'}\n`)
  return 0
}

type Refused = { readonly kind: 'no-node' } | { readonly kind: 'another'; readonly value: string }

async function refuse(api: Api, found: Refused & { node: string }, io: Io): Promise<Exit> {
  const { node } = found
  const why =
    found.kind === 'no-node'
      ? `node ${node} does not exist${meant(node, await nodeNames(api, io.signal))}`
      : `${node} is already excluded by ${excludeLabel}=${found.value}, which Berth did not set: ` +
        'it announces nothing, and the label is left unchanged'
  io.err(`berth: ${why}\n`)
  return 1
}

/** Without the right to list them there is no proposal. */
async function nodeNames(api: Api, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const nodes = await listAll(api, resourceOf('Node'), signal)
    return nodes.map((json) => metaOf(new Fields(json, [])).name)
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/** Returns what prevents it. Nodes change often, so a conflicting write is retried. */
async function mark(api: Api, node: string): Promise<Refused | undefined> {
  for (;;) {
    const found = await readMark(api, node)
    if (found.kind === 'ours') return undefined
    if (found.kind !== 'none') return found
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
      io.err(`berth: ${node} still announces ${services(left.size)}: ${some(left)}\n`)
      io.err('It stays excluded. Check that its speaker runs and another node can take over.\n')
      return 1
    }
    if (nowMs - saidMs > sayEveryMs) {
      io.err(`${services(left.size)} left\n`)
      saidMs = nowMs
    }
    await setTimeout(pauseMs)
  }
}

const services = (count: number): string => counted(count, 'Service')
const some = (left: ReadonlyMap<Key, unknown>): string =>
  [...left.keys()].sort().slice(0, 3).join(', ') + (left.size > 3 ? ', ...' : '')

/** The new nodes report their announcements a moment later. */
async function tellMoved({ node, announcements, before }: Draining, io: Io): Promise<Exit> {
  const endMs = performance.now() + followMs
  for (;;) {
    const all = before.size === 0 ? new Map<Key, readonly string[]>() : await announcements.on()
    const gone = new Map([...before].filter(([service]) => !all.has(service)))
    if (gone.size === 0 || performance.now() > endMs || io.signal.aborted) {
      io.out(`${node} announces nothing; ${services(before.size - gone.size)} moved\n`)
      if (gone.size > 0) io.err(`no node announces ${services(gone.size)}: ${some(gone)}\n`)
      return 0
    }
    await setTimeout(pauseMs)
  }
}
