#!/usr/bin/env node
// The command `berth`: reads argv and the environment, starts one verb.
import { homedir } from 'node:os'
import process from 'node:process'
import { runCli } from './app/cli/runCli.ts'
import { showsColour } from './app/cli/showsColour.ts'
import type { Verb } from './app/cli/verb.ts'

const isTerminal = showsColour(process.env, process.stdout.isTTY === true)
const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())

// A reader that has seen enough (berth ... | head) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})
// What cannot be said, as on a full disk, is no reason to end.
process.stderr.on('error', () => undefined)

process.exitCode = await runCli(await verbsFor(process.argv[2]), process.argv.slice(2), {
  stdin: process.stdin,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal,
  ...(process.stdout.isTTY === true && { screen: () => process.stdout }),
  signal: stop.signal,
  env: process.env,
  home: homedir(),
  localKubeconfig: async () => {
    const { localKubeconfig } = await import('./app/up/localKubeconfig.ts')
    return localKubeconfig(process.env, homedir())
  },
  embeddedTargets: async (log) => {
    const { embeddedTargets } = await import('./app/up/scenarioTargets.ts')
    return embeddedTargets(log)
  },
})

/** What runs for months loads what it runs and no more: the other verbs would take 10 MB. */
async function verbsFor(name: string | undefined): Promise<readonly Verb[]> {
  if (name === 'speaker') return [(await import('./app/speaker/speakerVerb.ts')).speakerVerb]
  if (name === 'controller') return [await controllerWithOpenstack()]
  const { dnsHostsVerb } = await import('./app/openstack/dns/dnsHostsVerb.ts')
  if (name === dnsHostsVerb.name) return [dnsHostsVerb]
  const controllerVerb = await controllerWithOpenstack()
  const { speakerVerb } = await import('./app/speaker/speakerVerb.ts')
  const { verbsWith } = await import('./app/cli/verbs.ts')
  const { upVerb } = await import('./app/up/upVerb.ts')
  const { downVerb } = await import('./app/up/downVerb.ts')
  const { backupVerb } = await import('./app/up/backupVerb.ts')
  const { tokenVerb } = await import('./app/up/tokenVerb.ts')
  const { labVerb } = await import('./app/lab/labVerb.ts')
  const besideUp = [upVerb, downVerb, backupVerb, tokenVerb, labVerb]
  return verbsWith([...besideUp, controllerVerb, speakerVerb, dnsHostsVerb])
}

type Terminal = Parameters<
  typeof import('./app/controller/controllerVerb.ts').controllerVerb.run
>[1]

/** Loaded where it is asked for. */
async function controllerWithOpenstack(): Promise<Verb> {
  const { controllerVerb } = await import('./app/controller/controllerVerb.ts')
  const openstack: Terminal['openstack'] = async (mode, options) =>
    (await import('./app/openstack/openstack.ts')).openstack(mode, options)
  return { ...controllerVerb, run: (args, io) => controllerVerb.run(args, { ...io, openstack }) }
}
