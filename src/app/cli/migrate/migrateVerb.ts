// berth migrate: from MetalLB to Berth, and back.
import type { Exit, Io } from '../io.ts'
import { apiOptions, liveSettings, withCluster } from '../live/liveApi.ts'
import { newSession } from '../load.ts'
import { outputOption } from '../outputOption.ts'
import { type Arguments, isSet, textOf, UsageError, type Verb } from '../verb.ts'
import { migrateAddressPools } from './migrateAddressPools.ts'
import { migrateCheck } from './migrateCheck.ts'
import { migrateConfigMap } from './migrateConfigMap.ts'
import { placeOf } from './place.ts'
import { patientApi } from './walk/patientApi.ts'
import { Stopped, type Walk } from './walk/walk.ts'
import { runSteps, showSteps, type WalkOptions } from './walk/walkSteps.ts'

const usualSeconds = 120
const usualSettleSeconds = 20

export const migrateVerb: Verb = {
  name: 'migrate',
  summary: 'migrate from MetalLB, or back',
  usage: [
    'migrate configmap FILE',
    'migrate addresspools FILE',
    'migrate check [-o text|json|yaml]',
    'migrate plan|status [-o text|json|yaml]',
    'migrate step [NAME|--all] [--accept-down-peers] [--timeout SECONDS] [--no-wire]',
    'migrate finish [--dry-run] [--accept-down-peers] [--timeout SECONDS] [--no-wire]',
    'migrate back [--dry-run|--one] [--accept-moves] [--timeout SECONDS] [--no-wire]',
  ],
  description: `
configmap converts a ConfigMap of MetalLB 0.12 or older to resources, in the order of MetalLB's own
converter. Standard error lists what is renamed or cannot be converted. addresspools does the same
with the AddressPools of MetalLB 0.12, such as the output of kubectl get addresspools -A -o yaml.

check looks for what prevents a switch on a running cluster, and prints the commands that resolve
it.

plan shows the steps for this cluster and what each changes; status only how far they are. step does
the next one, or all with --all: the controllers first, then one node after the other, each drained
before its speaker changes. After each step no address may have changed, and exactly one node
announces each Service on layer 2. By BGP, a node stays drained until Berth's sessions there are
established, and afterwards it announces what it announced before. Where the addresses are on a link
of this host, it also asks there who answers (root or NET_RAW), unless --no-wire is given. If
something is wrong it stops and says why.
It can be interrupted at any moment: what is done is read from the API, so the same command goes on.

finish removes MetalLB and nothing else, once Berth announces from every node; with --dry-run it
prints the commands. Afterwards there is no way back without installing MetalLB again.

back goes the same way in reverse, all steps or with --one the next: MetalLB's speakers return node
by node, its controller starts, and Berth is removed with its conditions and records. Services keep
their addresses, and definitions, Tenants and pools stay. It stops first if MetalLB would move
addresses on its start; --accept-moves goes on.

Exit status: 0 done, or nothing is left to do; 2 something prevents the switch (check) or is left to
do (plan, status, --dry-run); 1 it stopped, or something could not be read or reached.`,
  examples: [
    'berth migrate configmap config.yaml > resources.yaml',
    'berth migrate check --context production',
    'berth migrate plan',
    'berth migrate step --all',
    'berth migrate back --dry-run',
  ],
  words: ['configmap', 'addresspools', 'check', 'plan', 'step', 'status', 'finish', 'back'],
  takes: 2,
  options: {
    ...apiOptions,
    all: { type: 'boolean', help: 'with step: every step that is left' },
    one: { type: 'boolean', help: 'with back: only the next step' },
    'dry-run': { type: 'boolean', help: 'with finish and back: only show the steps' },
    'accept-moves': {
      type: 'boolean',
      help: 'with back: go on although MetalLB will move addresses on its start',
    },
    'accept-down-peers': {
      type: 'boolean',
      help: 'go on although a BGP peer has no session with a node that changed over',
    },
    'no-wire': { type: 'boolean', help: 'do not ask on the wire who answers' },
    timeout: {
      type: 'string',
      value: 'SECONDS',
      help: `how long each thing is waited for (default ${usualSeconds})`,
    },
    settle: {
      type: 'string',
      value: 'SECONDS',
      help: `how long BGP sessions of MetalLB get to come up (default ${usualSettleSeconds})`,
    },
    output: outputOption(['text', 'json', 'yaml'], 'with check, plan and status: output format'),
  },
  async run(args, io): Promise<Exit> {
    const [what = '', second = ''] = args.positionals
    const work = works[what]
    if (work === undefined) {
      if (second === '') throw new UsageError('name the file to convert')
      return (what === 'configmap' ? migrateConfigMap : migrateAddressPools)(second, io)
    }
    if (second !== '' && what !== 'step') {
      throw new UsageError(`unexpected argument ${JSON.stringify(second)} after ${what}`)
    }
    return work(args, io)
  },
}

type Work = (args: Arguments, io: Io) => Promise<Exit>

const walking = (
  args: Arguments,
  io: Io,
  work: (walk: Walk, format: string) => Promise<Exit>,
): Promise<Exit> =>
  withCluster(args, io, async (live) => {
    const withinMs = secondsOf(args, 'timeout', usualSeconds) * 1_000
    const settleMs = secondsOf(args, 'settle', usualSettleSeconds) * 1_000
    const api = patientApi(live.direct, { io, withinMs })
    const place = await placeOf(api, io)
    if (!place.ok) return refused(io, place.why)
    const { namespace } = place
    const asksWire = !isSet(args, 'no-wire')
    const acceptsDownPeers = isSet(args, 'accept-down-peers')
    const programs = programsOf(args)
    const walk = {
      ...{ api, direct: live.api, io, namespace, programs },
      ...{ withinMs, settleMs, asksWire, acceptsDownPeers },
    }
    try {
      return await work(walk, textOf(args, 'output'))
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
      return refused(io, error.message)
    }
  })

function programsOf(args: Arguments): Walk['programs'] {
  const [context, kubeconfig] = [textOf(args, 'context'), textOf(args, 'kubeconfig')]
  const file = kubeconfig === '' ? '' : ` --kubeconfig=${kubeconfig}`
  const option = (name: string) => (context === '' ? '' : ` --${name}=${context}`)
  return {
    kubectl: `kubectl${option('context')}${file}`,
    helm: `helm${option('kube-context')}${file}`,
  }
}

function refused(io: Io, why: string): Exit {
  io.err(`berth: ${why}\n`)
  return 1
}

const works: Readonly<Record<string, Work>> = {
  check: (args, io) =>
    withCluster(args, io, async ({ api }) => {
      const place = await placeOf(api, io)
      if (!place.ok) return refused(io, place.why)
      const { namespace: ownNamespace } = place
      const session = await newSession(io, { ...liveSettings(args, io), ownNamespace })
      return migrateCheck(api, session, textOf(args, 'output'))
    }),
  plan: (args, io) =>
    walking(args, io, (walk, format) => showSteps(walk, { ...inwards, format, isLong: true })),
  status: (args, io) =>
    walking(args, io, (walk, format) => showSteps(walk, { ...inwards, format, isLong: false })),
  step: (args, io) =>
    walking(args, io, (walk, format) => {
      const which = { all: isSet(args, 'all'), name: args.positionals[1] ?? '' }
      return runSteps(walk, { ...inwards, format }, which)
    }),
  finish: (args, io) => ending(args, io, { ...inwards, direction: 'finish' }),
  back: (args, io) =>
    ending(args, io, {
      direction: 'back',
      acceptsMoves: isSet(args, 'accept-moves'),
      format: '',
    }),
}

const inwards: WalkOptions = { direction: 'in', acceptsMoves: false, format: '' }

const ending = (args: Arguments, io: Io, options: WalkOptions): Promise<Exit> =>
  walking(args, io, (walk, format) =>
    isSet(args, 'dry-run')
      ? showSteps(walk, { ...options, format, isLong: true })
      : runSteps(walk, options, { all: !isSet(args, 'one'), name: '' }),
  )

function secondsOf(args: Arguments, name: 'timeout' | 'settle', usual: number): number {
  const text = textOf(args, name)
  const seconds = text === '' ? usual : Number(text)
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400) return seconds
  throw new UsageError(`--${name} is a number of seconds from 1 to 86400`)
}
