// What does a router have in its table? Asked in its own words, told in one form.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../kube/waits.ts'
import { berthLab, type Lab, labNamed, run } from '../lab/namespaces.ts'
import { shown, wireFaults } from './interop/wireFaults.ts'

export type RouterKind = 'frr' | 'bird'

/** One path to a prefix, as the router has it. */
export type Path = {
  readonly nextHop: string
  readonly origin: string
  readonly asPath: string
  /** Undefined: the attribute is not there. */
  readonly med: number | undefined
  /** BIRD gives every route one of its own. */
  readonly localPref: number | undefined
  readonly communities: readonly string[]
}

export type RouterLab = Lab & {
  readonly kind: RouterKind
  readonly birdc: (...words: readonly string[]) => string
  /** By next hop. */
  readonly paths: (prefix: string) => readonly Path[]
  readonly vtysh: (...lines: readonly string[]) => string
  /** Removes it; an error where tshark finds malformed what was sent. */
  readonly down: () => Promise<void>
}

const folderOf = (lab: string): string => `/run/berth-lab/${lab}/routers/router-1`

type LabOptions = { readonly name?: string; readonly flags?: readonly '--bfd'[] }

export function upWith(kind: RouterKind, { name = `bgp${kind}`, flags = [] }: LabOptions = {}) {
  berthLab(name, 'down')
  const up = berthLab(name, 'up', '--bgp', '--router-kind', kind, ...flags)
  if (up.status !== 0) {
    berthLab(name, 'down')
    throw new Error(`the lab does not come up: ${up.err}`)
  }
  const lab = labNamed(name)
  const ask = (lines: readonly string[]) => {
    const commands = lines.flatMap((line) => ['-c', line])
    return lab.in('router-1', 'vtysh', '--vty_socket', folderOf(name), ...commands)
  }
  const vtysh = (...lines: readonly string[]): string => {
    const ran = ask(lines)
    if (ran.status !== 0) throw new Error(`vtysh: ${ran.out}${ran.err}`)
    return ran.out
  }
  /** A router whose daemon is not up yet has no routes. */
  const said = (line: string): string => {
    const ran = ask([line])
    return ran.status === 0 ? ran.out : '{}'
  }
  const birdc = (...words: readonly string[]): string =>
    lab.in('router-1', 'birdc', '-s', `${folderOf(name)}/bird.ctl`, ...words).out
  const paths = (prefix: string) => {
    const found = kind === 'frr' ? frrPaths(prefix, said) : birdPaths(prefix, birdc)
    return found.toSorted((one, other) => (one.nextHop < other.nextHop ? -1 : 1))
  }
  const recording = record(lab)
  const down = async () => {
    const faults = await recording.faults()
    berthLab(name, 'down')
    if (faults.length > 0) throw new Error(`malformed BGP: ${faults.join(', ')}`)
  }
  return { ...lab, kind, vtysh, birdc, paths, down }
}

/** Of all sessions of the router. */
function record(lab: Lab) {
  const capture = join(tmpdir(), `berth-lab-${lab.name}.pcap`)
  const recorder = lab.start('router-1', 'tcpdump', '-qUn', '-i', 'any', '-w', capture, bgpPackets)
  const ended = once(recorder, 'close')
  return {
    async faults(): Promise<readonly string[]> {
      recorder.kill('SIGINT')
      await ended
      const [packets, faults] = [shown(capture, 'bgp'), wireFaults(capture, 'bgp')]
      rmSync(capture, { force: true })
      return packets === '' ? ['nothing was recorded'] : faults
    },
  }
}
const bgpPackets = 'tcp port 179'

export type FrrPath = {
  readonly origin: string
  readonly metric?: number
  readonly locPrf?: number
  readonly aspath: { readonly string: string }
  readonly nexthops: readonly { readonly ip: string; readonly scope?: string }[]
  readonly community?: { readonly string: string }
  readonly largeCommunity?: { readonly string: string }
}

function frrPaths(prefix: string, shown: (line: string) => string): readonly Path[] {
  const family = prefix.includes(':') ? 'ipv6' : 'ipv4'
  const json = JSON.parse(shown(`show bgp ${family} unicast ${prefix} json`)) as {
    readonly paths?: readonly FrrPath[]
  }
  return (json.paths ?? []).map(pathOf)
}

export function pathOf(path: FrrPath): Path {
  return {
    nextHop: path.nexthops.find(({ scope }) => scope !== 'link-local')?.ip ?? '',
    origin: path.origin,
    asPath: path.aspath.string,
    med: path.metric,
    localPref: path.locPrf,
    communities: [path.community?.string, path.largeCommunity?.string].flatMap(
      (text) => text?.split(' ') ?? [],
    ),
  }
}

const birdPaths = (prefix: string, birdc: RouterLab['birdc']): readonly Path[] =>
  birdPathsIn(birdc('show', 'route', 'for', prefix, 'all'))

/** One block for each path; of a next hop of IPv6 the first is of its own. */
export const birdPathsIn = (shown: string): readonly Path[] =>
  shown
    .split(/unicast \[/)
    .slice(1)
    .map((block) => {
      const value = (name: string): string | undefined =>
        new RegExp(`(?:BGP\\.|bgp_)${name}: (.*)`).exec(block)?.[1]
      const listed = (name: string): readonly string[] =>
        [...(value(name) ?? '').matchAll(/\(([^)]*)\)/g)].map(([, numbers = '']) =>
          numbers.replaceAll(/, ?/g, ':'),
        )
      const med = value('med')
      return {
        nextHop: value('next_hop')?.split(' ')[0] ?? '',
        origin: value('origin') ?? '',
        asPath: value('(?:as_)?path') ?? '',
        med: med === undefined ? undefined : Number(med),
        localPref: undefined,
        communities: [...listed('community'), ...listed('large_community')],
      }
    })

/** Sessions that were broken again and again are tried every 30 s. */
const patienceMs = 80_000

export const hopsTo = (lab: RouterLab, prefix: string): string =>
  lab
    .paths(prefix)
    .map(({ nextHop }) => nextHop)
    .join(' ')

/** Until exactly these nodes are the way to the prefix. */
export const untilHops = (lab: RouterLab, prefix: string, hops: readonly string[]): Promise<true> =>
  until(
    `${prefix} by ${hops.join(' ') || 'nobody'}`,
    () => (hopsTo(lab, prefix) === hops.join(' ') ? true : undefined),
    patienceMs,
  )

/** Problems that the speakers have written. */
export const problems = (lab: Lab): string =>
  JSON.stringify(lab.ask('control', ['get', '/apis/berth.dev/v1alpha1/nodeinterfaces']))

/** Of the programs of one place. */
export function pidOf(lab: Lab, place: string, program: string): string {
  const { out } = run(['ip', 'netns', 'pids', `berth-lab-${lab.name}-${place}`])
  const [pid] = out.split('\n').filter((one) => {
    const { out: args } = run(['ps', '-o', 'args=', '-p', one])
    return one !== '' && new RegExp(`(^|/| )${program}( |$)`).test(args)
  })
  if (pid === undefined) throw new Error(`no ${program} runs in ${place}`)
  return pid
}
