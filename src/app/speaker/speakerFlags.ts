// What do the speaker's flags and environment variables mean? Defaults are MetalLB's.
import { defaultTiming, type Timing } from '../../core/session/membership/timing.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { secureMetricsOf } from '../../edge/kube/serve/metricsFlags.ts'
import type { Pod } from '../../edge/kube/write/configurationState.ts'
import { excludedInterfaces } from './layer2/excludedInterfaces.ts'
import type { JoinOptions } from './membership/joinMembers.ts'
import { parseList } from './membership/staticList.ts'
import type { SpeakerRun } from './runSpeaker.ts'

export type Terminal = {
  readonly err: (text: string) => void
  readonly signal: AbortSignal
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>
type Wanted = Omit<SpeakerRun, 'connection' | 'log' | 'signal'>

type Given = (flag: string, variable?: string) => string | undefined

/** Not memberlist's port, so that MetalLB can run on the same node. */
const usualPort = 7956
/** Routers have moved traffic within a second or two. */
const usualDrainSeconds = 5

export async function wantedOf(values: Values, { env }: Terminal): Promise<Wanted> {
  const given: Given = (flag, variable) => {
    const value = values[flag]
    const text = typeof value === 'string' ? value : ''
    return text || (variable === undefined ? undefined : env[variable]) || undefined
  }
  const node = given('node-name', 'METALLB_NODE_NAME')
  if (node === undefined) {
    throw new Fault('set --node-name NODE or METALLB_NODE_NAME to the name of this Node')
  }
  const ownNamespace = given('namespace', 'METALLB_NAMESPACE') ?? 'metallb-system'
  const refresh = numberOf(given, 'announce-refresh', { least: 1, most: 86_400 })
  return {
    node,
    settings: { ownNamespace, loadBalancerClass: given('lb-class') ?? '' },
    pod: podIn(env),
    members: membersOf(given),
    excluded: await excludedInterfaces(given('excluded-interfaces')),
    refreshMs: refresh === undefined ? undefined : refresh * 1_000,
    shouldAnnounceAnyway: values['announce-anyway'] === true,
    shouldIgnoreExcludeLabel: values['ignore-exclude-lb'] === true,
    bgp: bgpOf(given, env),
    drainMs:
      (numberOf(given, 'drain-wait', { least: 0, most: 3_600 }) ?? usualDrainSeconds) * 1_000,
    secureMetrics: secureMetricsOf(values, env),
    ports: {
      metrics: portOf(given, 'port', 9130),
      probes: portOf(given, 'health-probe-port', 17473),
    },
  }
}

/** Short enough for a new Service, long enough to take many of them at once. */
const usualDebounceMs = 1_000
const frrFolder = '/etc/frr_reloader'

function bgpOf(given: Given, env: Terminal['env']): SpeakerRun['bgp'] {
  const by = given('bgp-backend') ?? 'berth'
  const debounceMs =
    numberOf(given, 'bgp-debounce-timeout', { least: 10, most: 600_000 }) ?? usualDebounceMs
  const listenPort = numberOf(given, 'bgp-listen', { least: 0, most: 65_535 }) || undefined
  if (by === 'berth') {
    return { by, style: env['METALLB_BGP_TYPE'] === 'native' ? 'native' : 'frr', listenPort }
  }
  if (listenPort !== undefined) throw new Fault('--bgp-listen is for --bgp-backend berth')
  if (by === 'frr-k8s') {
    return { by, namespace: given('frrk8s-namespace', 'FRRK8S_NAMESPACE'), debounceMs }
  }
  if (by !== 'frr') {
    throw new Fault(`--bgp-backend must be berth, frr or frr-k8s, got ${JSON.stringify(by)}`)
  }
  const config = env['FRR_CONFIG_FILE'] || `${frrFolder}/frr.conf`
  const pid = env['FRR_RELOADER_PID_FILE'] || `${frrFolder}/reloader.pid`
  return { by, files: { config, pid }, logLevel: frrLevel(env), debounceMs }
}

const frrLevels = [
  'emergencies',
  'alerts',
  'critical',
  'errors',
  'warnings',
  'notifications',
  'informational',
  'debugging',
]

function frrLevel({ FRR_LOGGING_LEVEL: level }: Terminal['env']): string {
  if (level === undefined || level === '') return 'informational'
  if (frrLevels.includes(level)) return level
  const among = frrLevels.join(', ')
  throw new Fault(`FRR_LOGGING_LEVEL must be one of ${among}, got ${JSON.stringify(level)}`)
}

function membersOf(given: Given): JoinOptions {
  const [how, port] = [given('members') ?? 'pods', portOf(given, 'members-port', usualPort)]
  return {
    by: how === 'pods' || how === 'nodes' ? how : listIn(how, port ?? usualPort),
    port: port ?? usualPort,
    bind: given('members-bind', 'METALLB_ML_BIND_ADDR'),
    keyFile: given('members-key-file', 'BERTH_MEMBERS_KEY_FILE'),
    timing: timingOf(given),
  }
}

/** With fewer beats per timeout, one lost packet would count as a death. */
const fewestBeats = 4

function timingOf(given: Given): Partial<Timing> {
  const beatMs = numberOf(given, 'members-beat', { least: 5, most: 10_000 })
  const timeoutMs = numberOf(given, 'members-timeout', { least: 20, most: 60_000 })
  const [beat, timeout] = [beatMs ?? defaultTiming.beatMs, timeoutMs ?? defaultTiming.timeoutMs]
  if (timeout < fewestBeats * beat) {
    const what = `--members-timeout must be at least ${fewestBeats} times --members-beat`
    throw new Fault(`${what}: ${fewestBeats * beat} or more, got ${timeout}`)
  }
  return {
    ...(beatMs === undefined ? {} : { beatMs }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

function listIn(text: string, port: number): JoinOptions['by'] {
  const list = parseList(text, port)
  if (list.ok) return list.value
  throw new Fault(`--members must be pods, nodes or a list: ${list.why}`)
}

/** From the downward API, so that speakers need no permission to read Pods. */
function podIn(env: Terminal['env']): Pod | undefined {
  const { METALLB_POD_NAME: name = '', BERTH_POD_UID: uid = '' } = env
  return name === '' || uid === '' ? undefined : { name, uid }
}

/** 0 turns it off, as in MetalLB. */
function portOf(given: Given, flag: string, usual: number): number | undefined {
  const port = numberOf(given, flag, { least: 0, most: 65_535 }) ?? usual
  return port === 0 ? undefined : port
}

function numberOf(
  given: Given,
  flag: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const text = given(flag)
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Fault(
    `--${flag} must be a number from ${least} to ${most}, got ${JSON.stringify(text)}`,
  )
}
