// How does FRR get another configuration? MetalLB's way: a file that a reloader beside FRR is told
// to read by SIGHUP, and a file in which the reloader says how that went.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type ReloaderFiles = {
  /** Read by FRR's reload tool. */
  readonly config: string
  /** Has the pid of the reloader. */
  readonly pid: string
}

type LastReload = {
  readonly outcome: 'none' | 'success' | 'failure'
  /** Differs from that of any earlier one. */
  readonly mark: string
}

/** Throws where the file cannot be written, or nobody reads it. */
export function askReload({ config, pid }: ReloaderFiles, text: string): void {
  const draft = `${config}.new`
  // It has passwords.
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, config)
  const reloader = Number(readFileSync(pid, 'utf8').trim())
  // 0 and below would be groups of processes.
  if (!Number.isInteger(reloader) || reloader < 2) throw new Error(`${pid} has no pid`)
  process.kill(reloader, 'SIGHUP')
}

/** What the reloader said last: the time, and success or failure. */
export function lastReload({ config }: ReloaderFiles): LastReload {
  const path = join(dirname(config), '.status')
  try {
    const [, outcome] = readFileSync(path, 'utf8').trim().split(/\s+/)
    const mark = String(statSync(path, { bigint: true }).mtimeNs)
    return { outcome: outcome === 'success' ? 'success' : 'failure', mark }
  } catch {
    return { outcome: 'none', mark: '' }
  }
}

/** What FRR shows of its sessions: nothing where that is old. Undefined where nobody writes it. */
export function shownBy({ config }: ReloaderFiles, freshMs: number): string | undefined {
  const path = join(dirname(config), '.sessions')
  try {
    const isFresh = Date.now() - statSync(path).mtimeMs < freshMs
    return isFresh ? readFileSync(path, 'utf8') : ''
  } catch {
    return undefined
  }
}
