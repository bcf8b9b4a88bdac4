// BIRD and FRR as receivers.
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Receiver } from './contest.ts'
import { birdControl, frrControl, opened } from './control.ts'
import { cpuMsOf, places, start, stopped } from './ground.ts'

export async function startBird(folder: string): Promise<Receiver> {
  const [config, control] = [join(folder, 'receiver.conf'), join(folder, 'receiver.ctl')]
  writeFileSync(
    config,
    `router id ${places.receiver};
protocol device { }
protocol bgp incoming {
  local as 64513; neighbor ${places.sender} as 64512; passive; direct;
  error wait time 1, 1; error forget time 1;
  ipv4 { import all; export none; };
}
`,
  )
  const child = start('receiver', 'bird', '-f', '-c', config, '-s', control)
  const { ask, end } = await opened('BIRD', () => birdControl(control))
  const routes = async () => {
    const shown = await ask('show protocols all incoming')
    return Number(/Routes: +(\d+) imported/.exec(shown)?.[1] ?? 0)
  }
  return { routes, ...ending(child, end) }
}

export async function startFrr(folder: string): Promise<Receiver> {
  const home = join(folder, 'frr')
  mkdirSync(home, { recursive: true })
  writeFileSync(
    join(home, 'bgpd.conf'),
    `router bgp 64513
 bgp router-id ${places.receiver}
 no bgp ebgp-requires-policy
 neighbor ${places.sender} remote-as 64512
 neighbor ${places.sender} passive
`,
  )
  const command = [
    ...['/usr/lib/frr/bgpd', '-u', 'root', '-g', 'frrvty', '-n', '-Z', '-P', '0'],
    ...['-f', join(home, 'bgpd.conf'), '-i', join(home, 'bgpd.pid'), '--vty_socket', home],
  ]
  const child = start('receiver', ...command)
  const { ask, end } = await opened('FRR', () => frrControl(join(home, 'bgpd.vty')))
  const routes = async () => {
    const shown = await ask('show bgp summary json')
    return Number(/"pfxRcd": *(\d+)/.exec(shown)?.[1] ?? 0)
  }
  return { routes, ...ending(child, end) }
}

const ending = (child: ChildProcess, end: () => void) => ({
  cpuMs: () => cpuMsOf(child.pid),
  stop: () => {
    end()
    return stopped(child)
  },
})
