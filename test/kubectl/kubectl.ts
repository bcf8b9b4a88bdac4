// Which kubectl is ours compared with? Always the pinned one, or the reason why there is none.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export type Kubectl = { readonly path: string } | { readonly why: string }

export function findKubectl(): Kubectl {
  const build = join(import.meta.dirname, 'build.sh')
  const { status, stdout, stderr, error } = spawnSync('sh', [build], { encoding: 'utf8' })
  if (status === 0) return { path: stdout.trim() }
  return { why: error?.message ?? stderr.trim().split('\n').at(-1) ?? 'build.sh failed' }
}

/** What kubectl reads from a file or folder: its objects without the annotation, or its error. */
export function kubectlReads(kubectl: string, path: string): unknown[] | string {
  const args = ['annotate', '--local', '--recursive', '-f', path, `${annotation}=x`, '-o', 'json']
  const env = { KUBECONFIG: '/dev/null', HOME: '/nonexistent' }
  const { status, stdout, stderr } = spawnSync(kubectl, args, { encoding: 'utf8', env, maxBuffer })
  return status === 0 ? objectsIn(stdout).map(withoutAnnotation) : stderr
}

const maxBuffer = 64 * 1024 * 1024
const annotation = 'berth.dev/read-by-kubectl'

/** kubectl prints one indented object after another. */
function objectsIn(output: string): unknown[] {
  return output
    .split(/^(?=\{$)/m)
    .filter((text) => text.trim() !== '')
    .map((text): unknown => JSON.parse(text))
}

/** The annotation's mapping goes too when nothing else is in it: kubectl made it. */
function withoutAnnotation(json: unknown): unknown {
  const { metadata, ...object } = json as { metadata: { annotations: Record<string, string> } }
  const { annotations, ...others } = metadata
  const { [annotation]: _, ...rest } = annotations
  return {
    ...object,
    metadata: Object.keys(rest).length ? { ...others, annotations: rest } : others,
  }
}
