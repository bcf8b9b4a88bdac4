// Are we alive, and ready? Alive: we answer. Ready: nothing that we need is missing, whether
// we lead or not, since every replica of the controller serves the webhooks.
import { type Page, type Pages, servePages } from './pages.ts'

type ProbeParts = {
  /** 0 for any that is free. */
  readonly port: number
  /** Absent: on every address of the machine. */
  readonly host?: string
  /** What we still wait for, in words; none when we are ready. */
  readonly missing: () => readonly string[]
  /** How far we are with what the API holds, for who waits for us. */
  readonly progress?: () => object
}

export async function startProbes({ port, host, missing, progress }: ProbeParts): Promise<Pages> {
  const pages = { '/healthz': () => judged([]), '/readyz': () => judged(missing()) }
  const more = progress === undefined ? {} : { '/quiet': () => told(progress()) }
  return servePages(port, { ...pages, ...more }, host)
}

const told = (json: object): Page => ({
  status: 200,
  type: 'application/json',
  body: `${JSON.stringify(json)}\n`,
})

function judged(missing: readonly string[]): Page {
  const isFine = missing.length === 0
  const body = isFine ? 'ok\n' : `waiting for ${missing.join(', ')}\n`
  return { status: isFine ? 200 : 503, type: 'text/plain', body }
}
