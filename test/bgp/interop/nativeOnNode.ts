// A node of MetalLB in native mode, by what it sends: no MED, and inside one AS LOCAL_PREF 0. GoBGP sends
// exactly what it is given.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../kube/waits.ts'
import { places, type Stand } from './stand.ts'

type Native = {
  readonly announce: (prefix: string, community: string) => void
  readonly withdraw: (prefix: string) => void
}

type Peering = { readonly root: string; readonly address: string; readonly asn: number }

/** `address`: its own, `asn`: the router's. */
export async function startNative(stand: Stand, { root, address, asn }: Peering): Promise<Native> {
  const file = join(stand.folder, 'native.toml')
  writeFileSync(
    file,
    `[global.config]
as = 64512
router-id = "${address}"
port = -1
[[neighbors]]
[neighbors.config]
neighbor-address = "${places.router.four}"
peer-as = ${asn}
[neighbors.transport.config]
local-address = "${address}"
[neighbors.timers.config]
connect-retry = 1
`,
  )
  stand.start('node', join(root, 'gobgpd'), '-f', file, '--api-hosts', '127.0.0.1:50051')
  const gobgp = (...words: readonly string[]): string =>
    stand.run('node', join(root, 'gobgp'), ...words)
  const isUp = () => (gobgp('neighbor').includes('Establ') ? true : undefined)
  await until('a session of MetalLB', isUp)
  const sends = ['nexthop', address, 'origin', 'igp', 'local-pref', '0', 'community']
  return {
    announce: (prefix, community) =>
      void gobgp('global', 'rib', 'add', prefix, ...sends, community),
    withdraw: (prefix) => void gobgp('global', 'rib', 'del', prefix),
  }
}
