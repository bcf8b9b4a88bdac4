// FRR as the other side: bgpd and zebra, asked by vtysh.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../kube/waits.ts'
import { type FrrPath, pathOf } from '../router.ts'
import type { Router } from './router.ts'
import { places, type Stand } from './stand.ts'

const usual = `frr defaults traditional
router bgp 64513
 bgp router-id ${places.router.four}
 no bgp ebgp-requires-policy
 no bgp default ipv4-unicast
 bgp log-neighbor-changes
 neighbor ${places.node.four} remote-as 64512
 neighbor ${places.node.four} passive
 neighbor ${places.node.four} password interop
 address-family ipv4 unicast
  neighbor ${places.node.four} activate
 address-family ipv6 unicast
  neighbor ${places.node.four} activate
`

export type Frr = Router & { readonly vtysh: (line: string) => string }

/** `isReady`: what it shows then of its neighbours. */
type FrrOptions = { readonly config?: string; readonly isReady?: string; readonly bfd?: string }

export async function startFrr(
  stand: Stand,
  root: string,
  { config = usual, isReady = places.node.four, bfd = '' }: FrrOptions = {},
): Promise<Frr> {
  const { folder } = stand
  const inside = folder.slice(root === '/' ? 0 : root.length)
  const rooted = root === '/' ? [] : ['chroot', root]
  writeFileSync(join(folder, 'bgpd.conf'), config)
  writeFileSync(join(folder, 'zebra.conf'), '')
  writeFileSync(join(folder, 'bfdd.conf'), bfd)
  const start = (role: string): void => {
    const command = [
      ...[`/usr/lib/frr/${role}`, '-u', 'root', '-g', 'frrvty', '-P', '0'],
      ...['-f', `${inside}/${role}.conf`, '-i', `${inside}/${role}.pid`],
      ...['-z', `${inside}/zserv.api`, '--vty_socket', inside, '--log', 'stdout'],
      ...(role === 'bfdd' && root === '/' ? ['--bfdctl', `${inside}/bfdd.sock`] : []),
    ]
    stand.start('router', ...rooted, ...command)
  }
  const vtysh = (line: string): string =>
    stand.run('router', ...rooted, 'vtysh', '--vty_socket', inside, '-c', line)
  start('zebra')
  if (bfd !== '') {
    start('bfdd')
    // What bgpd asks of it before zebra knows it can be lost.
    const clients = () => vtysh('show zebra client summary')
    await until('bfdd', () => (/\bbfd\b/.test(clients()) ? true : undefined))
  }
  start('bgpd')
  const summary = () => vtysh('show bgp summary json')
  await until('FRR', () => (summary().includes(isReady) ? true : undefined))
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
    refresh: () => void vtysh(`clear bgp ${places.node.four} soft in`),
    lastWords: () => vtysh(`show bgp neighbors ${places.node.four}`),
  }
}
