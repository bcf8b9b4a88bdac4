// How is a single machine started from the command line? In the foreground, or in the background.
import { existsSync } from 'node:fs'
import { Fault } from '../../edge/kube/api/fault.ts'
import type { Exit, Io } from '../cli/io.ts'
import { type Arguments, isSet, textOf, textsOf, UsageError, type Verb } from '../cli/verb.ts'
import { dataOption, folderOf } from './dataOption.ts'
import type { RunOptions } from './runUp.ts'

export const upVerb: Verb = {
  name: 'up',
  summary: 'run an embedded Kubernetes API and the controllers on this machine',
  usage: [
    'up [--data DIR] [--port PORT] [--listen ADDRESS] [--with FILE|DIR]... [--background]',
    'up --announce [--data DIR] [--background]',
    'up --restore FILE [--replace] [--data DIR]',
  ],
  description: `
Serves the Kubernetes API from one file on disk and runs the controllers on it. Clients such as
kubectl use DIR/kubeconfig. Acknowledged writes survive a power failure, and the next start
continues with the same objects. Stop it with Ctrl-C or SIGTERM, or in the background with 'berth
down'.

The API listens on the loopback address only, and accepts the certificate in the kubeconfig and
tokens ('berth token'). With --listen it listens on that address instead: anybody who can reach it
can try to log in.

With --announce, this machine answers ARP and neighbor discovery for the addresses of Services that
have endpoints, as 'berth speaker' does on a node of a cluster. This needs root or the capability
NET_RAW. Berth does not forward traffic: a program on this machine must accept what arrives.

Exit status: 0 stopped on request, or started in the background; 1 it could not start.`,
  examples: [
    'berth up',
    'berth up --background --with examples/cluster',
    'sudo berth up --announce --data /var/lib/berth',
    'berth up --restore berth.backup --data /var/lib/berth',
  ],
  options: {
    ...dataOption,
    port: {
      type: 'string',
      value: 'PORT',
      help: 'port of the API (default 7443); 0 picks a free one',
    },
    listen: {
      type: 'string',
      value: 'ADDRESS',
      help: 'address of the API (default 127.0.0.1)',
    },
    with: {
      type: 'string',
      multiple: true,
      value: 'FILE|DIR',
      help: 'manifests to apply once the API is ready',
    },
    announce: { type: 'boolean', help: 'announce the addresses of Services from this machine' },
    'no-node': { type: 'boolean', help: 'create no Node for this machine' },
    restore: { type: 'string', value: 'FILE', help: "start from a file that 'berth backup' wrote" },
    replace: {
      type: 'boolean',
      help: 'with --restore: replace existing data, which is kept as berth.db.replaced',
    },
    background: { type: 'boolean', help: "run in the background; stop it with 'berth down'" },
  },
  async run(args: Arguments, io: Io): Promise<Exit> {
    refuseNonsense(args)
    const folder = folderOf(args, io)
    const options = {
      folder,
      port: portOf(textOf(args, 'port')),
      listen: textOf(args, 'listen') || '127.0.0.1',
      isAnnouncing: isSet(args, 'announce'),
      isNode: !isSet(args, 'no-node'),
      asked: (['port', 'listen'] as const).filter((name) => textOf(args, name) !== ''),
      manifests: textsOf(args, 'with'),
      down: textOf(args, 'data') === '' ? 'berth down' : `berth down --data ${folder.path}`,
      restore: textOf(args, 'restore') || undefined,
      isReplaced: isSet(args, 'replace'),
    }
    try {
      await start(options, isSet(args, 'background') ? 'background' : 'here', io)
      return 0
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      io.err(`berth: ${error.message}\n`)
      return 1
    }
  },
}

/** Loaded on demand: no other command needs an API server. */
async function start(options: RunOptions, where: 'background' | 'here', io: Io): Promise<void> {
  if (where === 'here') return (await import('./runUp.ts')).runUp(options, io)
  return (await import('./background.ts')).startInBackground(options, io)
}

/** Checked first: a script must not continue with an empty API. */
function refuseNonsense(args: Arguments): void {
  if (isSet(args, 'replace') && textOf(args, 'restore') === '') {
    throw new UsageError('--replace needs --restore FILE')
  }
  if (isSet(args, 'no-node') && isSet(args, 'announce')) {
    throw new UsageError('--announce needs the Node that --no-node leaves out')
  }
  const missing = textsOf(args, 'with').find((path) => path !== '-' && !existsSync(path))
  if (missing !== undefined) throw new UsageError(`--with ${missing}: no such file or folder`)
}

const usualPort = 7443

function portOf(text: string): number {
  if (text === '') return usualPort
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new UsageError(`--port must be a number from 0 to 65535, got ${JSON.stringify(text)}`)
}
