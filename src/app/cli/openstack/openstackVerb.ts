// berth openstack: how the services of an OpenStack control plane are exposed.
import type { Exit } from '../io.ts'
import { localOptions, withLive } from '../live/liveApi.ts'
import { outputOption } from '../outputOption.ts'
import { type Arguments, textOf, textsOf, UsageError, type Verb } from '../verb.ts'
import { convertFiles } from './convertFiles.ts'
import { showEndpoints } from './showEndpoints.ts'
import { showStale } from './showStale.ts'

export const openstackVerb: Verb = {
  name: 'openstack',
  summary: 'convert, list and clean up how services of OpenStack are exposed',
  usage: [
    'openstack convert -f FILE|DIR...',
    'openstack endpoints -n NAMESPACE [-o wide] [--context NAME] [--kubeconfig FILE]',
    'openstack stale [-n NAMESPACE] [--context NAME] [--kubeconfig FILE]',
  ],
  description: `
'convert' prints the objects in the files. The fields externalEndpoints and externalEndpoint, used
before 2024, become override.service, and networkAttachents becomes networkAttachments. Objects
without these fields are printed as they are.

'endpoints' prints the URL of each endpoint in a namespace, as 'openstack endpoint list' does: the
name and port of the Service, or the host of its Route. '-o wide' adds the address.

'stale' lists annotations of MetalLB and for DNS that are still on Services although they are gone
from the OpenStackControlPlane, which the operators do not clean up. Each line has the command that
removes one.

Exit status: 0 converted or listed, or nothing is stale; 2 stale: there are such annotations; 1
something could not be read or converted, there are no endpoints, or the API could not be reached.`,
  examples: [
    'berth openstack convert -f controlplane.yaml > new.yaml',
    'berth openstack endpoints -n openstack',
    'berth openstack stale',
  ],
  words: ['convert', 'endpoints', 'stale'],
  takes: 1,
  options: {
    file: {
      type: 'string',
      short: 'f',
      multiple: true,
      value: 'FILE|DIR',
      help: 'manifest file, directory (with subdirectories), or - for standard input',
    },
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NAMESPACE',
      help: 'namespace of the control plane',
      names: 'namespace',
    },
    output: outputOption(['wide'], 'wide adds addresses'),
    ...localOptions,
  },
  async run(args, io): Promise<Exit> {
    const [what] = args.positionals
    const namespace = textOf(args, 'namespace')
    if (what === 'convert') return convertFiles(filesOf(args), io)
    if (what === 'stale') return withLive(args, io, ({ api }) => showStale({ api, io, namespace }))
    if (namespace === '')
      throw new UsageError('name the namespace of the control plane: -n NAMESPACE')
    const isWide = textOf(args, 'output') === 'wide'
    return withLive(args, io, ({ api }) => showEndpoints({ api, io, namespace, isWide }))
  },
}

function filesOf(args: Arguments): readonly string[] {
  const files = textsOf(args, 'file')
  if (files.length === 0) throw new UsageError('name the files to convert: -f FILE|DIR')
  return files
}
