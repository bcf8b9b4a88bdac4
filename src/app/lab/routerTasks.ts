// Which programs make a machine a router? FRR's zebra, bgpd and bfdd, or BIRD, each with its own
// files.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../edge/kube/api/fault.ts'
import type { Lab } from './lab.ts'
import type { Machine } from './machine.ts'
import { bfddConfig, type RouterKind, routerConfig, routersOf } from './routerConfig.ts'
import type { Asked } from './tasks.ts'
import { pathTo, run } from './tools.ts'

const frrFolder = '/usr/lib/frr'

export function refuseWithoutRouter(kind: RouterKind): void {
  const isThere = kind === 'frr' ? existsSync(join(frrFolder, 'bgpd')) : pathTo('bird') !== 'bird'
  if (isThere) return
  const [name, from] = kind === 'frr' ? ['FRR', 'frr'] : ['BIRD', 'bird2']
  throw new Fault(`${name} is missing: apt-get install ${from}`)
}

const routerFolder = ({ folder }: Pick<Lab, 'folder'>, router: string): string =>
  join(folder, 'routers', router)

/** Of one router, in the order in which they start; none where the lab has no BGP. */
export function routerTasks(lab: Lab, router: Machine): readonly Asked[] {
  const { router: kind } = lab.settings
  if (kind === 'none') return []
  const folder = routerFolder(lab, router.name)
  mkdirSync(folder, { recursive: true })
  if (kind === 'bird') {
    const config = join(folder, 'bird.conf')
    writeFileSync(config, routerConfig(lab, router, kind))
    const command = [pathTo('bird'), '-f', '-c', config, '-s', join(folder, 'bird.ctl')]
    return [{ role: 'bird', machine: router.name, command }]
  }
  const configs = { zebra: '', bgpd: routerConfig(lab, router, kind), bfdd: bfddConfig }
  const roles = lab.settings.hasBfd
    ? (['zebra', 'bfdd', 'bgpd'] as const)
    : (['zebra', 'bgpd'] as const)
  for (const role of roles) writeFileSync(join(folder, `${role}.conf`), configs[role])
  return roles.map((role) => ({
    role,
    machine: router.name,
    command: [
      ...(role === 'zebra' ? [] : behindZebra(folder, role === 'bgpd' && lab.settings.hasBfd)),
      // As root, since the folder of a lab is root's alone; it refuses to be in no group of vtysh.
      ...[join(frrFolder, role), '-u', 'root', '-g', 'frrvty'],
      ...['-f', join(folder, `${role}.conf`), '-i', join(folder, `${role}.pid`)],
      ...['-z', join(folder, 'zserv.api'), '--vty_socket', folder, '-P', '0', '--log', 'stdout'],
      ...(role === 'bfdd' && hasControlSocket() ? ['--bfdctl', join(folder, 'bfdd.sock')] : []),
    ],
  }))
}

/**
 * A daemon that finds no zebra tries again after ten seconds, and what bgpd asks of bfdd before
 * zebra knows bfdd can be lost. Waits for five seconds at most.
 */
const behindZebra = (folder: string, withBfdd: boolean): readonly string[] => {
  const clients = `vtysh --vty_socket ${folder} -d zebra -c 'show zebra client summary'`
  const isThere = withBfdd ? `${clients} | grep -qw bfd` : `${clients} >/dev/null 2>&1`
  const wait = `for _ in $(seq 50); do ${isThere} && break; sleep 0.1; done`
  return ['sh', '-c', `${wait}; exec "$@"`, 'sh']
}

/** Newer ones have none, and refuse the option. */
const hasControlSocket = (): boolean =>
  run([join(frrFolder, 'bfdd'), '--help']).includes('--bfdctl')

export const allRouterTasks = (lab: Lab): readonly Asked[] =>
  routersOf(lab).flatMap((router) => routerTasks(lab, router))

/** What shows its routes to a person. */
export function routesCommand(lab: Lab, router: string): string {
  const folder = routerFolder(lab, router)
  return lab.settings.router === 'bird'
    ? `birdc -s ${join(folder, 'bird.ctl')} show route all`
    : `vtysh --vty_socket ${folder} -c 'show bgp ipv4 unicast'`
}
