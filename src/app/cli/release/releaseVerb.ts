// berth release: a pool is gone for good, so what it gave may be taken back (R3.14).
import type { Exit } from '../io.ts'
import { apiOptions, liveOptions, liveSettings, withCluster } from '../live/liveApi.ts'
import { isSet, UsageError, type Verb } from '../verb.ts'
import { releasePool } from './releasePool.ts'

export const releaseVerb: Verb = {
  name: 'release',
  summary: 'release the addresses of a pool that is gone for good',
  usage: ['release pool NAME [--yes] [--context NAME] [--kubeconfig FILE]'],
  description: `
If a pool is gone and the controller did not see its deletion, the Services that have addresses
from it keep them, because the pool may come back: after a restore, or when definitions are applied
again. Until then their condition has the reason PoolsLost.

If the pool will not come back, release it. The Services lose its addresses, and get others if they
can. Without --yes, the command only lists them.

Exit status: 0 the pool is released, or nothing is kept from it; 2 nothing was done, because --yes
is missing; 1 the pool is there, or the API could not be reached or refused.`,
  examples: ['berth release pool lan', 'berth release pool lan --yes'],
  words: ['pool'],
  takes: 2,
  names: { pool: 'pool' },
  options: {
    ...apiOptions,
    'lb-class': liveOptions['lb-class'],
    yes: { type: 'boolean', help: 'do it; without this it only shows what it would do' },
  },
  async run(args, io): Promise<Exit> {
    const [, pool] = args.positionals
    if (pool === undefined) throw new UsageError('name the pool')
    const settings = liveSettings(args, io)
    const isSure = isSet(args, 'yes')
    return withCluster(args, io, ({ api }) => releasePool({ api, io, settings, pool, isSure }))
  },
}
