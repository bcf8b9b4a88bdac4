// A terminal for tests: what a command printed where, and how it ended.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Io } from '../../src/app/cli/io.ts'
import { runCli } from '../../src/app/cli/runCli.ts'
import { verbsWith } from '../../src/app/cli/verbs.ts'

/** Nothing to read, nobody to tell, nothing in the environment. */
export const nowhere: Io = {
  stdin: noInput(),
  out: () => undefined,
  err: () => undefined,
  isTerminal: false,
  signal: new AbortController().signal,
  env: {},
  home: '/nowhere',
}

async function* noInput(): AsyncGenerator<string> {
  yield ''
}

export type Ended = { readonly exit: number; readonly out: string; readonly err: string }

/** What the command reads, as text, or as what the terminal is. */
type Given = string | (Partial<Io> & { readonly input?: string })

export async function berth(args: readonly string[], given: Given = ''): Promise<Ended> {
  const { input = '', ...more } = typeof given === 'string' ? { input: given } : given
  const printed = { out: '', err: '' }
  const exit = await runCli(verbsWith([]), args, {
    ...nowhere,
    ...more,
    stdin: (async function* () {
      yield input
    })(),
    out: (text) => {
      printed.out += text
    },
    err: (text) => {
      printed.err += text
    },
  })
  return { exit, ...printed }
}

/** A folder with these files, gone when the test is. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

export const service = (name: string, more = ''): string => `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: default${more === '' ? '' : `, annotations: {${more}}`}}
spec: {type: LoadBalancer, ports: [{port: 80}]}
`
export const pool = (name: string, addresses: string): string => `---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: ${name}, namespace: metallb-system}
spec: {addresses: [${addresses}]}
`
