// berth ipset: a host does not come back, so what is kept for its name is free (R12.9).
import type { Exit } from '../io.ts'
import { apiOptions, withCluster } from '../live/liveApi.ts'
import { isSet, UsageError, type Verb } from '../verb.ts'
import { releaseIpSet } from './releaseIpSet.ts'

export const ipSetVerb: Verb = {
  name: 'ipset',
  summary: 'release the addresses that are kept for a deleted IPSet',
  usage: ['ipset release NAMESPACE/NAME [--yes] [--context NAME] [--kubeconfig FILE]'],
  description: `
With the annotation berth.dev/keep, the addresses of an IPSet are kept after it is deleted, so that
a host that is created again under its name gets them back. A Reservation without an IPSet keeps
its addresses too.

If the host will not come back, release its addresses: others can have them at once. Without --yes,
the command only lists them.

Exit status: 0 the addresses are free, or none is kept; 2 nothing was done, because --yes is
missing; 1 the IPSet is there, or the API could not be reached or refused.`,
  examples: [
    'berth ipset release openstack/edpm-compute-0',
    'berth ipset release openstack/edpm-compute-0 --yes',
  ],
  words: ['release'],
  takes: 2,
  names: { release: 'ipset' },
  options: {
    ...apiOptions,
    yes: { type: 'boolean', help: 'do it; without this it only shows what it would do' },
  },
  async run(args, io): Promise<Exit> {
    const [, key] = args.positionals
    if (key === undefined) throw new UsageError('name the IPSet as NAMESPACE/NAME')
    const [namespace, name, ...more] = key.split('/')
    if (!namespace || !name || more.length > 0) {
      throw new UsageError(`name the IPSet as NAMESPACE/NAME, not ${JSON.stringify(key)}`)
    }
    const isSure = isSet(args, 'yes')
    return withCluster(args, io, ({ api }) => releaseIpSet({ api, io, namespace, name, isSure }))
  },
}
