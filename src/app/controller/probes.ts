// Are we alive, and ready? Alive: we answer. Ready: nothing that we need is missing, whether we
// lead or not, since every replica serves the webhooks.
import { type Page, type Pages, servePages } from './probesPages.ts'

export type ProbeParts = {
  /** 0 for any that is free. */
  readonly port: number
  /** What we still wait for, in words; none when we are ready. */
  readonly missing: () => readonly string[]
}

export async function startProbes({ port, missing }: ProbeParts): Promise<Pages> {
  return servePages(port, { '/healthz': () => judged([]), '/readyz': () => judged(missing()) })
}

function judged(missing: readonly string[]): Page {
  const isFine = missing.length === 0
  const body = isFine ? 'ok\n' : `waiting for ${missing.join(', ')}\n`
  return { status: isFine ? 200 : 503, type: 'text/plain', body }
}
