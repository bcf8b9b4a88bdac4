// BIRD and FRR as receivers.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Receiver } from './contest.ts'
import { answer, places, start, until } from './ground.ts'

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
  const ask = () =>
    answer('receiver', 'birdc', '-s', control, 'show', 'protocols', 'all', 'incoming')
  await until('BIRD', () => ask().includes('BGP'))
  return {
    routes: () => Number(/Routes: +(\d+) imported/.exec(ask())?.[1] ?? 0),
    stop: () => child.kill(),
  }
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
  const ask = () => {
    const words = ['vtysh', '--vty_socket', home, '-d', 'bgpd', '-c', 'show bgp summary json']
    return answer('receiver', ...words)
  }
  await until('FRR', () => ask().includes(places.sender))
  return {
    routes: () => Number(/"pfxRcd": *(\d+)/.exec(ask())?.[1] ?? 0),
    stop: () => child.kill(),
  }
}
