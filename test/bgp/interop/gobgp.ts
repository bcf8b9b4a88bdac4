// GoBGP as the other side, asked by its own command.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../kube/waits.ts'
import type { Path } from '../router.ts'
import { calmBfd, type Router, type RouterOptions } from './router.ts'
import { killed, places, type Stand } from './stand.ts'

/** In microseconds. */
const bfd = `[neighbors.bfd.config]
enabled = true
desired-minimum-tx-interval = ${calmBfd.transmitInterval * 1000}
required-minimum-receive = ${calmBfd.receiveInterval * 1000}
detection-multiplier = ${calmBfd.detectMultiplier}
`
const configOn = (
  { transport = 'four', hasBfd }: RouterOptions,
  password = 'interop',
): string => `[global.config]
as = 64513
router-id = "${places.router.four}"
[[neighbors]]
[neighbors.config]
neighbor-address = "${places.node[transport]}"
peer-as = 64512
auth-password = "${password}"
[neighbors.transport.config]
passive-mode = true
${hasBfd ? bfd : ''}[neighbors.graceful-restart.config]
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
/** A word or its number. */
const isBfdUp = /"session_state": ?("BFD_SESSION_STATE_UP"|1\b)/
const origins = ['IGP', 'EGP', 'incomplete']

export async function startGobgp(
  stand: Stand,
  root: string,
  options: RouterOptions = {},
): Promise<Router> {
  const file = join(stand.folder, 'gobgpd.toml')
  writeFileSync(file, configOn(options))
  const command = [join(root, 'gobgpd'), '-f', file, '--api-hosts', '127.0.0.1:50051', '-p']
  const { transport = 'four' } = options
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
    hasBfdUp: () => isBfdUp.test(gobgp('neighbor', places.node[transport], '-j')),
    rekey(password) {
      writeFileSync(file, configOn(options, password))
      child.kill('SIGHUP')
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
