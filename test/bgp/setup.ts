// Did routers take part? One line that says so, or why not.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    hasRouters: boolean
    /** By name, with version: where it is. */
    routers: Readonly<Record<string, string>>
  }
}

const programs = ['ip', 'nft', 'sysctl', 'curl', 'vtysh', 'birdc', 'tcpdump', 'tshark']

/** In the order in which it is needed. */
function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'no Linux'
  if (process.geteuid?.() !== 0) return 'not root'
  const install = join(import.meta.dirname, '../lab/install.sh')
  const options = { encoding: 'utf8' } as const
  const { status, stderr, error } = spawnSync('bash', [install, ...programs], options)
  if (status !== 0) return error?.message ?? stderr.trim().split('\n').at(-1)
  const trial = `berth-try-${process.pid}`
  if (spawnSync('ip', ['netns', 'add', trial]).status !== 0) return 'no network namespaces'
  spawnSync('ip', ['netns', 'delete', trial])
  return undefined
}

type RouterProgram = { readonly name: string; readonly root: string; readonly why: string }

/** One line of routers.sh for each. */
function findRouters(): readonly RouterProgram[] {
  const script = join(import.meta.dirname, 'interop/routers.sh')
  const { stdout } = spawnSync('bash', [script], { encoding: 'utf8' })
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', root = '', ...why] = line.split(' ')
      return { name, root, why: why.join(' ') }
    })
}

export function setup(project: TestProject): () => void {
  const why = whyNot()
  const all = why === undefined ? findRouters() : []
  const there = all.filter(({ root }) => root !== '-')
  const lines = [
    `BGP with FRR and BIRD: ${why === undefined ? 'ran' : `not run: ${why}`}\n`,
    'sessions in a VRF: cannot run here: written without a kernel that has VRFs\n',
    process.env['BERTH_FRR_K8S'] === undefined
      ? 'the program of frr-k8s: cannot run here: BERTH_FRR_K8S does not name it\n'
      : 'the program of frr-k8s: ran\n',
    ...all.map(
      ({ name, root, why: no }) => `${name}: ${root === '-' ? `not run: ${no}` : 'ran'}\n`,
    ),
  ]
  const missing = lines.filter((line) => line.includes(': not run: '))
  if (missing.length > 0 && process.env['BERTH_REQUIRE_ALL'] === '1') {
    throw new Error(`BERTH_REQUIRE_ALL=1 asks for every suite. ${missing.join('')}`)
  }
  project.provide('hasRouters', why === undefined)
  project.provide('routers', Object.fromEntries(there.map(({ name, root }) => [name, root])))
  return () => {
    process.stdout.write(lines.join(''))
  }
}
