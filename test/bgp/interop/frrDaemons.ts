// FRR on the node, without a word of configuration yet.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../kube/waits.ts'
import type { Stand } from './stand.ts'

type FrrDaemons = {
  /** For its files, as we see it, and as it does where it has a root of its own. */
  readonly folder: string
  readonly inside: string
  /** What goes before a command of FRR's. */
  readonly rooted: readonly string[]
  readonly vtysh: (line: string) => string
}

export async function startFrrDaemons(stand: Stand, root: string): Promise<FrrDaemons> {
  const folder = join(stand.folder, 'node')
  const inside = folder.slice(root === '/' ? 0 : root.length)
  const rooted = root === '/' ? [] : ['chroot', root]
  mkdirSync(folder)
  const roles = ['zebra', 'bgpd', 'bfdd']
  for (const name of ['frr', 'vtysh', ...roles]) writeFileSync(join(folder, `${name}.conf`), '')
  for (const role of roles) {
    // `write` puts a new file in the place of this one, whatever it is: never /dev/null.
    const config = ['-f', `${inside}/${role}.conf`]
    const command = [
      ...[`/usr/lib/frr/${role}`, '-u', 'root', '-g', 'frrvty', '-P', '0', ...config],
      ...['-i', `${inside}/${role}.pid`, '-z', `${inside}/zserv.api`],
      ...['--vty_socket', inside, '--log', 'stdout'],
      // Newer ones have none, and refuse the option.
      ...(role === 'bfdd' && root === '/' ? ['--bfdctl', `${inside}/bfdd.sock`] : []),
    ]
    stand.start('node', ...rooted, ...command)
  }
  const vtysh = (line: string): string =>
    stand.run('node', ...rooted, 'vtysh', '--vty_socket', inside, '-c', line)
  await until('FRR', () => (vtysh('show bgp summary').includes('BGP') ? true : undefined))
  return { folder, inside, rooted, vtysh }
}
