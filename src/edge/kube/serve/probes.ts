// Are we alive, and ready? Alive: we answer. Ready: nothing is missing, whether we lead or not,
// because every replica of the controller serves the webhooks.
import { type Page, type Pages, servePages } from './pages.ts'

type ProbeParts = {
  /** 0 for any free port. */
  readonly port: number
  /** All addresses if absent. */
  readonly host?: string
  /** What we still wait for, in words; empty when ready. */
  readonly missing: () => readonly string[]
  /** How far we have processed the API's state, for those who wait for us. */
  readonly progress?: () => object
  /** Further plain data, by path. */
  readonly more?: Readonly<Record<string, () => object>>
}

export async function startProbes(parts: ProbeParts): Promise<Pages> {
  const { port, host, missing, progress, more = {} } = parts
  const pages = { '/healthz': () => pageOf([]), '/readyz': () => pageOf(missing()) }
  const data = { ...(progress && { '/quiet': progress }), ...more }
  const pagesOfData = Object.entries(data).map(([path, read]) => [path, () => told(read())])
  return servePages(
    port,
    { ...pages, ...Object.fromEntries(pagesOfData) },
    { ...(host && { host }) },
  )
}

const told = (json: object): Page => ({
  status: 200,
  type: 'application/json',
  body: `${JSON.stringify(json)}\n`,
})

function pageOf(missing: readonly string[]): Page {
  const isFine = missing.length === 0
  const body = isFine ? 'ok\n' : `waiting for ${missing.join(', ')}\n`
  return { status: isFine ? 200 : 503, type: 'text/plain', body }
}
