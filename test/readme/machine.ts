// A home of its own with a `berth up` in it, and a shell in which kubectl and berth are those tested.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { inject } from 'vitest'

export type Said = { readonly exit: number; readonly text: string }
export type Machine = {
  /** Both streams, in the order in which they came. */
  readonly shell: (commands: string) => Said
  readonly remove: () => void
}

export function newMachine(kubectl = inject('kubectl')): Machine {
  const home = mkdtempSync(join(tmpdir(), 'berth-home-'))
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const script = (name: string, command: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\nexec '${command}' "$@"\n`, { mode: 0o755 })
  script('kubectl', kubectl)
  script('berth', resolve('berth'))
  // A make within a make talks of folders.
  const { XDG_DATA_HOME: _, KUBECONFIG: __, MAKEFLAGS: ___, MAKELEVEL: ____, ...rest } = process.env
  const env = { ...rest, HOME: home, PATH: `${bin}:${rest['PATH']}` }
  const shell = (commands: string): Said => {
    const ran = spawnSync('bash', ['-c', `exec 2>&1\n${commands}`], {
      env,
      encoding: 'utf8',
      timeout: 60_000,
    })
    return { exit: ran.status ?? -1, text: ran.stdout }
  }
  return {
    shell,
    remove() {
      shell('berth down')
      rmSync(home, { recursive: true, force: true })
    },
  }
}
