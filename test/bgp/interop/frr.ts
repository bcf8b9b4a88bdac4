// FRR as the other side: bgpd and zebra, asked by vtysh.
import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../kube/waits.ts'
import { type FrrPath, pathOf } from '../router.ts'
import { calmBfd, type Router, type RouterOptions } from './router.ts'
import { killed, places, type Stand } from './stand.ts'

const configOn = ({
  transport = 'four',
  hasBfd,
}: RouterOptions): string => `frr defaults traditional
router bgp 64513
 bgp router-id ${places.router.four}
 no bgp ebgp-requires-policy
 no bgp default ipv4-unicast
 bgp log-neighbor-changes
 neighbor ${places.node[transport]} remote-as 64512
 neighbor ${places.node[transport]} passive
 neighbor ${places.node[transport]} password interop
${hasBfd ? ` neighbor ${places.node[transport]} bfd profile calm\n` : ''} address-family ipv4 unicast
  neighbor ${places.node[transport]} activate
 address-family ipv6 unicast
  neighbor ${places.node[transport]} activate
`

const { receiveInterval, transmitInterval, detectMultiplier } = calmBfd
/** Of the name that BGP asks for. */
const calmProfile = `bfd
 profile calm
  receive-interval ${receiveInterval}
  transmit-interval ${transmitInterval}
  detect-multiplier ${detectMultiplier}
`

export type Frr = Router & { readonly vtysh: (...lines: readonly string[]) => string }

/** `isReady`: what it shows then of its neighbours. */
type FrrOptions = RouterOptions & {
  readonly config?: string
  readonly isReady?: string
  readonly bfd?: string
}

export async function startFrr(
  stand: Stand,
  root: string,
  { transport = 'four', hasBfd = false, ...given }: FrrOptions = {},
): Promise<Frr> {
  const { bfd = hasBfd ? calmProfile : '' } = given
  const { config = configOn({ transport, hasBfd }), isReady = places.node[transport] } = given
  const { folder } = stand
  const inside = folder.slice(root === '/' ? 0 : root.length)
  const rooted = root === '/' ? [] : ['chroot', root]
  writeFileSync(join(folder, 'bgpd.conf'), config)
  writeFileSync(join(folder, 'zebra.conf'), '')
  writeFileSync(join(folder, 'bfdd.conf'), bfd)
  const start = (role: string): ChildProcess => {
    const command = [
      ...[`/usr/lib/frr/${role}`, '-u', 'root', '-g', 'frrvty', '-P', '0'],
      ...['-f', `${inside}/${role}.conf`, '-i', `${inside}/${role}.pid`],
      ...['-z', `${inside}/zserv.api`, '--vty_socket', inside, '--log', 'stdout'],
      ...(role === 'bfdd' && root === '/' ? ['--bfdctl', `${inside}/bfdd.sock`] : []),
    ]
    return stand.start('router', ...rooted, ...command)
  }
  const vtysh = (...lines: readonly string[]): string => {
    const commands = lines.flatMap((line) => ['-c', line])
    return stand.run('router', ...rooted, 'vtysh', '--vty_socket', inside, ...commands)
  }
  start('zebra')
  if (bfd !== '') {
    start('bfdd')
    // What bgpd asks of it before zebra knows it can be lost.
    const clients = () => vtysh('show zebra client summary')
    await until('bfdd', () => (/\bbfd\b/.test(clients()) ? true : undefined))
  }
  let bgpd = start('bgpd')
  const summary = () => vtysh('show bgp summary json')
  const isThere = () => until('FRR', () => (summary().includes(isReady) ? true : undefined))
  await isThere()
  return {
    vtysh,
    paths(prefix) {
      const family = prefix.includes(':') ? 'ipv6' : 'ipv4'
      const { paths = [] } = JSON.parse(
        vtysh(`show bgp ${family} unicast ${prefix} json`) || '{}',
      ) as {
        readonly paths?: readonly FrrPath[]
      }
      return paths.map(pathOf)
    },
    count() {
      const shown = vtysh('show bgp ipv4 unicast summary json')
      return Number(/"pfxRcd": *(\d+)/.exec(shown)?.[1] ?? 0)
    },
    refresh: () => void vtysh(`clear bgp ${places.node[transport]} soft in`),
    hasBfdUp: () => /"status": ?"up"/.test(vtysh('show bfd peers json')),
    rekey(password) {
      const line = `neighbor ${places.node[transport]} password ${password}`
      vtysh('configure terminal', 'router bgp 64513', line)
    },
    async restart() {
      await killed(bgpd)
      bgpd = start('bgpd')
      await isThere()
    },
    lastWords: () => vtysh(`show bgp neighbors ${places.node[transport]}`),
  }
}
