// The router of the walk: FRR, on the client's machine. It takes a session from any node and spreads
// over all of them.
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asNumbers, clientAddresses, type Rig } from '../../test/migrate/rig.ts'

const config = `frr defaults traditional
router bgp ${asNumbers.router}
 bgp router-id ${clientAddresses.lan4}
 no bgp ebgp-requires-policy
 no bgp default ipv4-unicast
 neighbor nodes peer-group
 neighbor nodes remote-as ${asNumbers.nodes}
 bgp listen range 10.10.0.0/16 peer-group nodes
 bgp listen range fd00:10::/64 peer-group nodes
 address-family ipv4 unicast
  neighbor nodes activate
  maximum-paths 8
 exit-address-family
 address-family ipv6 unicast
  neighbor nodes activate
  maximum-paths 8
 exit-address-family
`

/** What it is asked through. */
export const routerSocket = (rig: Rig): string => join(rig.folder, 'router', 'bgpd.vty')

/** What it returns ends it. */
export function startRouter(rig: Rig): () => void {
  const home = join(rig.folder, 'router')
  mkdirSync(home)
  writeFileSync(join(home, 'bgpd.conf'), config)
  const daemon = (name: string, flags: string): ChildProcess => {
    const own = `-u root -g frrvty -A 127.0.0.1 -i ${home}/${name}.pid --vty_socket ${home}`
    const command = `/usr/lib/frr/${name} ${own} -z ${home}/zserv.api ${flags}`
    return rig.start(`exec ${command} > ${home}/${name}.log 2>&1`)
  }
  const daemons = [daemon('zebra', ''), daemon('bgpd', `-f ${home}/bgpd.conf`)]
  return () => {
    for (const one of daemons) one.kill()
  }
}
