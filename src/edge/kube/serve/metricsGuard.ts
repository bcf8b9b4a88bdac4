// Who stands before the metrics where they are secured? A certificate, and the API server's word on
// each token, asked over connections of its own: however many ask, our other calls do not wait.
import { newApi } from '../api/client.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import { metricsReaders } from './metricsReaders.ts'
import type { Guard } from './pages.ts'

type GuardParts = Pick<Guard, 'certificate' | 'log'> & {
  readonly connection: Connection
  readonly clock: Pick<Clock, 'nowMs'>
}

const mostReviews = 2

export function metricsGuard({ connection, certificate, clock, log }: GuardParts): Guard {
  const api = newApi(connection, { mostCalls: mostReviews })
  return { certificate, readers: metricsReaders({ api, clock, log }), log, close: api.close }
}
