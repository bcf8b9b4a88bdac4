// berth drain and berth undrain: stop a node from announcing, and let it announce again (R8.4).
import { excludeLabel } from '../../../core/model/node.ts'
import type { Exit } from '../io.ts'
import { apiOptions, liveSettings, withCluster } from '../live/liveApi.ts'
import { type Arguments, textOf, UsageError, type Verb } from '../verb.ts'
import { drain, undrain } from './drain.ts'

const usualSeconds = 60

export const drainVerb: Verb = {
  name: 'drain',
  summary: 'move the announcements of a node to other nodes',
  usage: ['drain NODE [--timeout SECONDS] [--context NAME] [--kubeconfig FILE]'],
  description: `
Sets the node's label ${excludeLabel} to
'berth-drain' and waits until the node announces nothing. Another node takes over each layer-2
address before this one gives it up, so no connection attempt is lost. BGP peers are asked to
prefer other nodes for a while, and then the routes are withdrawn. 'berth undrain' removes the
label.

If the label is set to another value, somebody else has excluded the node, and it is left alone.

Exit status: 0 the node announces nothing; 1 it could not be drained, or not in time.`,
  examples: ['berth drain worker-3', 'berth drain worker-3 --timeout 300'],
  names: { '': 'node' },
  takes: 1,
  options: {
    ...apiOptions,
    timeout: {
      type: 'string',
      value: 'SECONDS',
      help: `how long to wait (default ${usualSeconds})`,
    },
  },
  async run(args, io): Promise<Exit> {
    const node = nodeOf(args)
    const withinMs = secondsOf(args) * 1000
    const { ownNamespace } = liveSettings(args, io)
    return withCluster(args, io, ({ api }) => drain(api, { node, withinMs, ownNamespace }, io))
  },
}

export const undrainVerb: Verb = {
  name: 'undrain',
  summary: 'let a drained node announce again',
  usage: ['undrain NODE [--context NAME] [--kubeconfig FILE]'],
  description: `
Removes the label that 'berth drain' set. A label with another value is left alone. Addresses move
back to the nodes that the election chooses.

Exit status: 0 the label is gone; 1 it has another value, or could not be removed.`,
  examples: ['berth undrain worker-3'],
  names: { '': 'node' },
  takes: 1,
  options: apiOptions,
  async run(args, io): Promise<Exit> {
    const node = nodeOf(args)
    return withCluster(args, io, ({ api }) => undrain(api, node, io))
  },
}

function nodeOf({ positionals }: Arguments): string {
  const [node] = positionals
  if (node === undefined) throw new UsageError('name the node')
  return node
}

function secondsOf(args: Arguments): number {
  const text = textOf(args, 'timeout')
  const seconds = text === '' ? usualSeconds : Number(text)
  if (Number.isFinite(seconds) && seconds > 0) return seconds
  throw new UsageError(`--timeout is a number of seconds, not ${JSON.stringify(text)}`)
}
