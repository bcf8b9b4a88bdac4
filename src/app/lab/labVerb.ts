// berth lab: a bare-metal network in network namespaces, to see layer 2 and BGP work and fail.
import { Bug } from '../../core/model/bug.ts'
import { counted } from '../../core/net/counted.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import type { Exit, Io } from '../cli/io.ts'
import { type Arguments, isSet, textOf, textsOf, UsageError, type Verb } from '../cli/verb.ts'
import { failureKinds, type Settings } from './lab.ts'
import { isLabName, most, usualName } from './topology.ts'

type Run = (args: Arguments, words: readonly string[], io: Io) => Promise<Exit>

const count = (help: string) => ({ type: 'string', value: 'COUNT', help }) as const

export const labVerb: Verb = {
  name: 'lab',
  summary: 'build a bare-metal network from network namespaces, to try failures',
  usage: [
    'lab up [--nodes 3] [--routers 1] [--clients 1] [--bgp [--bfd]] [--kube] [--name NAME]',
    'lab status | heal | down',
    'lab exec MACHINE [--] COMMAND...',
    'lab fail node|link|speaker NODE | fail router ROUTER | fail api',
  ],
  description: `
Builds nodes, clients and routers from network namespaces on this machine, with two networks
between them, an API with a controller, a backend and a speaker on every node, and a Service to
try. The host's own network is not changed. Needs root, ip and nft.

With --bgp the routers run FRR or BIRD and stand between the lan and the clients; the Service has an
address that only they know the way to, through every node. Needs FRR or BIRD. With --bfd too, the
hold time is 90 s, and BFD notices a dead node in 250 ms.

'fail node' disconnects a node from both networks and kills its speaker. 'fail link' disconnects it
from the lan only, 'fail speaker' kills its speaker with kill -9, 'fail router' does to a router
what 'fail node' does to a node, and 'fail api' disconnects the API. 'heal' repairs all of it.
'down' removes the lab's processes, namespaces and files, even after a crash.

Exit status: 0 done; 1 failed. With exec, that of the command (any but 0 and 2 becomes 1).`,
  examples: [
    'sudo berth lab up --nodes 3',
    'sudo berth lab exec client-1 -- curl -s http://10.10.100.1/',
    'sudo berth lab fail node node-2',
    'sudo berth lab up --bgp --routers 2',
    'sudo berth lab down',
  ],
  options: {
    nodes: count('number of nodes (default 3)'),
    routers: count('number of routers on the lan (default 1)'),
    clients: count('number of clients on the lan (default 1)'),
    bgp: { type: 'boolean', help: 'announce by BGP, to routers with the clients behind them' },
    bfd: { type: 'boolean', help: 'with --bgp, notice a dead node by BFD, 50 ms x 5' },
    'router-kind': {
      type: 'string',
      value: 'KIND',
      help: 'what the routers run with --bgp: frr or bird (default frr)',
    },
    kube: {
      type: 'boolean',
      help: 'run the real kube-apiserver, kube-controller-manager and kube-proxy',
    },
    'without-speakers': {
      type: 'boolean',
      help: 'start no speakers, to run another program instead',
    },
    'speaker-arg': {
      type: 'string',
      multiple: true,
      value: 'ARG',
      help: 'argument for every speaker, such as --speaker-arg=--members-beat=20',
    },
    name: {
      type: 'string',
      value: 'NAME',
      help: 'name of the lab, if you run several (default main)',
    },
  },
  words: ['up', 'status', 'exec', 'fail', 'heal', 'down'],
  unlisted: ['inside'],
  takes: Number.POSITIVE_INFINITY,
  async run(args, io): Promise<Exit> {
    const [word = '', ...words] = args.positionals
    const work = works[word]
    if (work === undefined) throw new Bug(`the lab has no ${word}`)
    try {
      const { refuseWithoutMeans } = await import('./tools.ts')
      refuseWithoutMeans()
      return await work(args, words, io)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      io.err(`berth: ${error.message}\n`)
      return 1
    }
  },
}

/** Loaded on demand. */
const works: Readonly<Record<string, Run>> = {
  async up(args, words, io) {
    refuseWords(words)
    const settings = await settingsOf(args, io)
    await (await import('./up.ts')).bringUp(settings, io)
    return 0
  },
  async status(args, words, io) {
    refuseWords(words)
    const lab = await labOf(args)
    io.out((await import('./status.ts')).statusOf(lab))
    return 0
  },
  async exec(args, words) {
    const [machine = '', ...command] = words
    if (command.length === 0) throw new UsageError('exec needs a machine and a command')
    return (await import('./execIn.ts')).execIn(await labOf(args), machine, command)
  },
  async fail(args, words, io) {
    const [kind, name = ''] = words
    const known = failureKinds.find((one) => one === kind)
    if (known === undefined || (known === 'api') !== (name === '') || words.length > 2) {
      throw new UsageError(
        'name what fails: node, link or speaker and its NODE, router and its name, or api',
      )
    }
    const { fail } = await import('./fail.ts')
    io.out(`${fail(await labOf(args), { kind: known, name })}\n`)
    return 0
  },
  async heal(args, words, io) {
    refuseWords(words)
    const repaired = (await import('./fail.ts')).heal(await labOf(args))
    io.out(repaired.length === 0 ? 'nothing was broken\n' : `repaired: ${repaired.join(', ')}\n`)
    return 0
  },
  async down(args, words, io) {
    refuseWords(words)
    const name = nameOf(args)
    const removed = await (await import('./down.ts')).removeLab(name)
    if (removed === undefined) io.out(`there is no lab ${name}\n`)
    else {
      const processes = counted(removed.processes, 'process', 'processes')
      io.out(`removed: ${processes}, ${counted(removed.namespaces, 'namespace')}\n`)
    }
    return 0
  },
  /** Run by the lab in its namespaces; not for users. */
  async inside(args, words, io) {
    return (await import('./inside/insideLab.ts')).runInside(await labOf(args), words, io)
  },
}

function refuseWords([word]: readonly string[]): void {
  if (word !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(word)}`)
}

const labOf = async (args: Arguments) => (await import('./labFolder.ts')).readLab(nameOf(args))

function nameOf(args: Arguments): string {
  const name = textOf(args, 'name') || usualName
  if (isLabName(name)) return name
  throw new UsageError('--name must be 1 to 12 characters of a-z and 0-9')
}

async function settingsOf(args: Arguments, { env, home }: Io): Promise<Settings> {
  const isKube = isSet(args, 'kube')
  return {
    name: nameOf(args),
    router: await routerOf(args),
    hasBfd: isSet(args, 'bfd'),
    nodes: countOf(args, 'nodes', 3),
    routers: countOf(args, 'routers', 1),
    clients: countOf(args, 'clients', 1),
    engine: isKube ? 'kube' : 'embedded',
    programs: isKube ? (await import('./kubeTasks.ts')).findPrograms(env, home) : '',
    speakers: isSet(args, 'without-speakers') ? 'none' : 'run',
    speakerArgs: textsOf(args, 'speaker-arg'),
  }
}

async function routerOf(args: Arguments): Promise<Settings['router']> {
  const { routerKinds } = await import('./routerConfig.ts')
  const text = textOf(args, 'router-kind')
  const kind = routerKinds.find((one) => one === (text || 'frr'))
  if (kind === undefined) throw new UsageError(`--router-kind is ${routerKinds.join(' or ')}`)
  if (!isSet(args, 'bgp')) {
    if (text !== '') throw new UsageError('--router-kind needs --bgp')
    if (isSet(args, 'bfd')) throw new UsageError('--bfd needs --bgp')
    return 'none'
  }
  if (countOf(args, 'routers', 1) === 0) throw new UsageError('--bgp needs a router')
  ;(await import('./routerTasks.ts')).refuseWithoutRouter(kind)
  return kind
}

function countOf(args: Arguments, what: keyof typeof most, usual: number): number {
  const text = textOf(args, what)
  const least = what === 'nodes' ? 1 : 0
  const value = text === '' ? usual : Number(text)
  if (Number.isInteger(value) && value >= least && value <= most[what]) return value
  throw new UsageError(`--${what} must be a number from ${least} to ${most[what]}`)
}
