// GoBGP as the other side, asked by its own command.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../kube/waits.ts'
import type { Path } from '../router.ts'
import type { Router, Transport } from './router.ts'
import { killed, places, type Stand } from './stand.ts'

const configOn = (transport: Transport): string => `[global.config]
as = 64513
router-id = "${places.router.four}"
[[neighbors]]
[neighbors.config]
neighbor-address = "${places.node[transport]}"
peer-as = 64512
auth-password = "interop"
[neighbors.transport.config]
passive-mode = true
[neighbors.graceful-restart.config]
enabled = true
restart-time = 120
[[neighbors.afi-safis]]
[neighbors.afi-safis.config]
afi-safi-name = "ipv4-unicast"
[neighbors.afi-safis.mp-graceful-restart.config]
enabled = true
[[neighbors.afi-safis]]
[neighbors.afi-safis.config]
afi-safi-name = "ipv6-unicast"
[neighbors.afi-safis.mp-graceful-restart.config]
enabled = true
`

type Attribute = {
  readonly type: number
  readonly value?: unknown
  readonly as_paths?: readonly { readonly asns: readonly number[] }[]
  readonly nexthop?: string
  readonly metric?: number
  readonly communities?: readonly number[]
}
type Shown = { readonly attrs: readonly Attribute[] }
const origins = ['IGP', 'EGP', 'incomplete']

export async function startGobgp(
  stand: Stand,
  root: string,
  { transport = 'four' }: { readonly transport?: Transport } = {},
): Promise<Router> {
  const file = join(stand.folder, 'gobgpd.toml')
  writeFileSync(file, configOn(transport))
  const command = [join(root, 'gobgpd'), '-f', file, '--api-hosts', '127.0.0.1:50051', '-p']
  let log = ''
  const start = () => {
    const child = stand.start('router', ...command)
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes) => {
        log += String(bytes)
      })
    }
    return child
  }
  let child = start()
  const gobgp = (...words: readonly string[]): string =>
    stand.run('router', join(root, 'gobgp'), ...words)
  const shows = () => gobgp('neighbor').includes(places.node[transport])
  const isThere = () => until('GoBGP', () => (shows() ? true : undefined))
  await isThere()
  return {
    paths(prefix) {
      const family = prefix.includes(':') ? 'ipv6' : 'ipv4'
      const text = gobgp('global', 'rib', prefix, '-a', family, '-j')
      const found = text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as object) : {}
      return Object.values(found)
        .flat()
        .map((one) => pathOf(one as Shown))
    },
    count() {
      const [, accepted = '0'] = /Destination: (\d+)/.exec(gobgp('global', 'rib', 'summary')) ?? []
      return Number(accepted)
    },
    async restart() {
      await killed(child)
      child = start()
      await isThere()
    },
    lastWords: () => log,
  }
}

function pathOf({ attrs }: Shown): Path {
  const of = (type: number) => attrs.find((one) => one.type === type)
  const plain = (of(8)?.communities ?? []).map((value) => `${value >>> 16}:${value & 0xffff}`)
  const large = (of(32)?.value ?? []) as readonly Record<string, number>[]
  return {
    nextHop: of(3)?.nexthop ?? of(14)?.nexthop ?? '',
    origin: origins[Number(of(1)?.value)] ?? '',
    asPath: (of(2)?.as_paths ?? []).flatMap(({ asns }) => asns).join(' '),
    med: of(4)?.metric,
    localPref: undefined,
    communities: [...plain, ...large.map((one) => Object.values(one).join(':'))],
  }
}
