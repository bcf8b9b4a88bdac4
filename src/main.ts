#!/usr/bin/env node
// The command `berth`: reads argv and the environment, starts one verb.
import { homedir } from 'node:os'
import process from 'node:process'
import { runCli } from './app/cli/runCli.ts'
import { verbsWith } from './app/cli/verbs.ts'
import { controllerVerb } from './app/controller/controllerVerb.ts'
import { backupVerb } from './app/up/backupVerb.ts'
import { downVerb } from './app/up/downVerb.ts'
import { tokenVerb } from './app/up/tokenVerb.ts'
import { upVerb } from './app/up/upVerb.ts'

const isTerminal = process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined
const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())

// A reader that has seen enough (berth ... | head) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

const daemons = [upVerb, downVerb, backupVerb, tokenVerb, controllerVerb]
process.exitCode = await runCli(verbsWith(daemons), process.argv.slice(2), {
  stdin: process.stdin,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal,
  signal: stop.signal,
  env: process.env,
  home: homedir(),
})
