// Which routers are there? By the names of routers.sh: how each is started.
import { startBird } from './bird.ts'
import { startExabgp } from './exabgp.ts'
import { startFrr } from './frr.ts'
import { startGobgp } from './gobgp.ts'
import { startOpenbgpd } from './openbgpd.ts'
import type { Router, RouterOptions } from './router.ts'
import type { Stand } from './stand.ts'

type Start = (stand: Stand, root: string, options?: RouterOptions) => Promise<Router>
const kinds: Readonly<Record<string, Start>> = {
  'frr-8.4': startFrr,
  'frr-10.3': startFrr,
  'bird-2.0': startBird,
  'bird-3.1': startBird,
  'gobgp-4.8': startGobgp,
  'openbgpd-7.7': startOpenbgpd,
  'exabgp-4.2': startExabgp,
}

export function kindOf(name: string): Start {
  const start = kinds[name]
  if (start === undefined) throw new Error(`nobody knows how to start ${name}`)
  return start
}
