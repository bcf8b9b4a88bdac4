// Which names are there to choose from? For shells that complete the name of an object.
import { recordAt, textAt } from '../../../core/model/json.ts'
import { contextNames } from '../../../edge/kube/api/connection.ts'
import { type KindName, resourceOf } from '../../../edge/kube/kinds.ts'
import { yamlOrFault } from '../../../edge/manifests/parseYaml.ts'
import type { Exit, Io } from '../io.ts'
import { type LiveObject, listAll } from '../live/listAll.ts'
import { liveSettings, withLive } from '../live/liveApi.ts'
import { type Arguments, textOf } from '../verb.ts'
import type { Named } from './named.ts'

const kindsNamed: Readonly<Record<Exclude<Named, 'context'>, KindName>> = {
  address: 'Address',
  ipset: 'IPSet',
  namespace: 'Namespace',
  node: 'Node',
  peer: 'BGPPeer',
  pool: 'IPAddressPool',
  service: 'Service',
  tenant: 'Tenant',
}

/** Shells expand what they are offered: a name that could be a command is left out. */
const isPlain = (name: string): boolean => /^[\w.:/@%+=-]+$/.test(name)

export async function printNames(what: Named, args: Arguments, io: Io): Promise<Exit> {
  const print = (names: readonly string[]): Exit => {
    const plain = [...new Set(names)].filter(isPlain).sort()
    io.out(plain.map((name) => `${name}\n`).join(''))
    return 0
  }
  if (what === 'context') {
    const { env, home } = io
    const kubeconfig = textOf(args, 'kubeconfig') || undefined
    return print(await contextNames({ kubeconfig, env, home, parseYaml: yamlOrFault }))
  }
  const isOwn = what === 'pool' || what === 'peer'
  const place = isOwn ? liveSettings(args, io).ownNamespace : undefined
  return withLive(args, io, async ({ api }) => {
    const objects = await listAll(api, resourceOf(kindsNamed[what], place), io.signal)
    return print(objects.flatMap((object) => nameOf(what, object)))
  })
}

function nameOf(what: Named, object: LiveObject): string[] {
  const metadata = recordAt(object, 'metadata')
  const spec = recordAt(object, 'spec')
  const name = textAt(metadata, 'name')
  if (what === 'address') return [textAt(spec, 'address')]
  if (what === 'service' && textAt(spec, 'type') !== 'LoadBalancer') return []
  return what === 'service' || what === 'ipset'
    ? [`${textAt(metadata, 'namespace')}/${name}`]
    : [name]
}
