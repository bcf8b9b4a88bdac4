// berth drain, berth undrain: nothing is announced on a node any more, and the way back (R8.4).
import { excludeLabel } from '../../../core/model/node.ts'
import type { Exit } from '../io.ts'
import { apiOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { type Arguments, textOf, UsageError, type Verb } from '../verb.ts'
import { drain, undrain } from './drain.ts'

const usualSeconds = 60

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
    return withLive(args, io, ({ api }) => drain(api, { node, withinMs, ownNamespace }, io))
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
    return withLive(args, io, ({ api }) => undrain(api, node, io))
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
