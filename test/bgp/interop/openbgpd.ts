// OpenBGPD as the other side, asked by bgpctl.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../kube/waits.ts'
import type { Path } from '../router.ts'
import type { Router, Transport } from './router.ts'
import { killed, places, type Stand } from './stand.ts'

type Entry = {
  readonly prefix: string
  readonly aspath: string
  readonly exit_nexthop: string
  readonly origin: string
  readonly metric: number
  readonly communities?: readonly string[]
  readonly large_communities?: readonly string[]
}

export async function startOpenbgpd(
  stand: Stand,
  _: string,
  { transport = 'four' }: { readonly transport?: Transport } = {},
): Promise<Router> {
  const [file, socket] = [join(stand.folder, 'bgpd.conf'), join(stand.folder, 'bgpd.sock')]
  const write = (password: string): void =>
    writeFileSync(
      file,
      `AS 64513
router-id ${places.router.four}
fib-update no
socket "${socket}"
listen on ${places.router[transport]}
neighbor ${places.node[transport]} {
  remote-as 64512
  passive
  tcp md5sig password ${password}
  announce IPv4 unicast
  announce IPv6 unicast
}
allow from any
deny to any
`,
    )
  write('interop')
  chmodSync(file, 0o600)
  // Where it locks itself up.
  mkdirSync('/run/openbgpd', { recursive: true })
  let log = ''
  const start = () => {
    const child = stand.start('router', '/usr/sbin/bgpd', '-d', '-f', file)
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes) => {
        log += String(bytes)
      })
    }
    return child
  }
  let child = start()
  const bgpctl = (...words: readonly string[]): string =>
    stand.run('router', 'bgpctl', '-s', socket, ...words)
  const isThere = () => bgpctl('show').includes('64512')
  const untilThere = () => until('OpenBGPD', () => (isThere() ? true : undefined))
  await untilThere()
  return {
    paths(prefix) {
      const text = bgpctl('-j', 'show', 'rib', 'detail', prefix)
      const { rib = [] } = (text === '' ? {} : JSON.parse(text)) as {
        readonly rib?: readonly Entry[]
      }
      return rib.map(pathOf)
    },
    count: () => bgpctl('show', 'rib', 'ipv4').match(/^[*>]+ /gm)?.length ?? 0,
    refresh: () => void bgpctl('neighbor', places.node[transport], 'refresh'),
    rekey(password) {
      write(password)
      bgpctl('reload')
    },
    async restart() {
      await killed(child)
      child = start()
      await untilThere()
    },
    lastWords: () => log,
  }
}

const pathOf = (entry: Entry): Path => ({
  nextHop: entry.exit_nexthop,
  origin: entry.origin,
  asPath: entry.aspath,
  med: entry.metric,
  localPref: undefined,
  communities: [...(entry.communities ?? []), ...(entry.large_communities ?? [])],
})
