// A Kubernetes of its own, for a suite that changes what all others would share.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { inject } from 'vitest'
import { findEngine, type Kube, kubeconfigFor, startKube, type User } from './harness.ts'

export type Ran = { readonly exit: number; readonly out: string; readonly err: string }
export type OwnKube = Kube & {
  /** The file of a kubeconfig. */
  readonly kubeconfig: (user: User) => string
  /** Fails the test when kubectl does. */
  readonly kubectl: (args: readonly string[], stdin?: string) => string
  /** A shell in the repository in which kubectl and berth are the ones that are tested. */
  readonly shell: (commands: string) => Ran
}

export async function startOwnKube(): Promise<OwnKube> {
  const engine = findEngine()
  if ('why' in engine) throw new Error(engine.why)
  const kube = await startKube(engine.folder)
  const kubeconfig = (user: User): string => {
    const file = join(kube.folder, `${user}.kubeconfig`)
    writeFileSync(file, kubeconfigFor(kube, user))
    return file
  }
  const admin = kubeconfig('admin')
  const bin = programs(kube.folder)
  const env = { ...process.env, KUBECONFIG: admin, PATH: `${bin}:${process.env['PATH']}` }
  const run = (path: string, args: readonly string[], input = ''): Ran => {
    const ran = spawnSync(path, [...args], { encoding: 'utf8', input, env, timeout: 60_000 })
    return { exit: ran.status ?? -1, out: ran.stdout, err: ran.stderr }
  }
  return {
    ...kube,
    kubeconfig,
    shell: (commands) => run('bash', ['-euo', 'pipefail', '-c', commands]),
    kubectl(args, stdin) {
      const { exit, out, err } = run(inject('kubectl'), args, stdin)
      if (exit !== 0) throw new Error(`kubectl ${args.join(' ')}: ${err}`)
      return out
    },
  }
}

function programs(folder: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const script = (name: string, command: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 })
  script('kubectl', `'${inject('kubectl')}'`)
  script('berth', `'${process.execPath}' '${resolve('src/main.ts')}'`)
  return bin
}
