// BIRD as the other side, asked by birdc.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../kube/waits.ts'
import { birdPathsIn } from '../router.ts'
import { calmBfd, type Router, type RouterOptions } from './router.ts'
import { killed, places, type Stand } from './stand.ts'

const { receiveInterval, detectMultiplier } = calmBfd
const bfd = `protocol bfd {
  interface "eth0" { interval ${receiveInterval} ms; multiplier ${detectMultiplier}; };
}
`
const configOn = (
  { transport = 'four', hasBfd }: RouterOptions,
  password = 'interop',
): string => `router id ${places.router.four};
log stderr all;
protocol device { }
${hasBfd ? bfd : ''}protocol bgp node {
  local as 64513;
  neighbor ${places.node[transport]} as 64512;
  password "${password}";
  passive;
  direct;
  ${hasBfd ? 'bfd on;' : ''}
  error wait time 1, 4;
  ipv4 { import all; export none; };
  ipv6 { import all; export none; };
}
`

export async function startBird(
  stand: Stand,
  root: string,
  options: RouterOptions = {},
): Promise<Router> {
  const { folder } = stand
  const inside = folder.slice(root === '/' ? 0 : root.length)
  const rooted = root === '/' ? [] : ['chroot', root]
  const control = `${inside}/bird.ctl`
  writeFileSync(join(folder, 'bird.conf'), configOn(options))
  const start = () =>
    stand.start('router', ...rooted, 'bird', '-f', '-c', `${inside}/bird.conf`, '-s', control)
  let bird = start()
  const birdc = (...words: readonly string[]): string =>
    stand.run('router', ...rooted, 'birdc', '-s', control, ...words)
  const shown = () => birdc('show', 'protocols', 'all', 'node')
  const isThere = () => until('BIRD', () => (shown().includes('BGP') ? true : undefined))
  await isThere()
  return {
    paths: (prefix) => birdPathsIn(birdc('show', 'route', prefix, 'all')),
    count: () => Number(/Routes: +(\d+) imported/.exec(shown())?.[1] ?? 0),
    refresh() {
      // As BIRD 2 calls it, and BIRD 3.
      birdc('reload', 'in', 'node')
      birdc('reload', 'filters', 'in', 'node')
    },
    hasBfdUp: () => / Up /.test(birdc('show', 'bfd', 'sessions')),
    rekey(password) {
      writeFileSync(join(folder, 'bird.conf'), configOn(options, password))
      birdc('configure')
    },
    async restart() {
      await killed(bird)
      bird = start()
      await isThere()
    },
    lastWords: shown,
  }
}
