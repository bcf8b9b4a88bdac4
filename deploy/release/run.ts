// How does a release run other programs and fetch files? What fails says what was run, and ends it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export function run(program: string, args: readonly string[], cwd?: string): string {
  const ran = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 512 * 1024 * 1024 })
  if (ran.status === 0) return ran.stdout
  const why = ran.error?.message ?? ran.stderr.trim()
  throw new Error(`${program} ${args.slice(0, 3).join(' ')}: ${why}`)
}

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')

export const sha256Of = (path: string): string => sha256(readFileSync(path))

export async function fetched(url: string): Promise<Uint8Array> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`)
  return new Uint8Array(await answer.arrayBuffer())
}

/** The same input gives the same bytes: order, owner and times are fixed. */
export function archive(path: string, folder: string, names: readonly string[]): void {
  const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  const mode = '--mode=u+rwX,go+rX,go-w'
  run('tar', ['--create', '--file', path, ...fixed, mode, '-C', folder, ...names])
}
