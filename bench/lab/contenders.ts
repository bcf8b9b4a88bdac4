// What is compared, and how is each started, killed and recovered? All run on the same three nodes,
// with the same backends and rules.
import { type ChildProcess, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodesOf } from '../../src/app/lab/lab.ts'
import { portOn } from '../../src/app/lab/machine.ts'
import type { Process } from '../../src/edge/host/process.ts'
import {
  berthLab,
  type Ground,
  labName,
  newGround,
  plugIn,
  runIn,
  speakersOf,
  startIn,
} from './ground.ts'

export type Contender = {
  readonly name: string
  /** Starts the lab with everything that runs in it. */
  readonly start: () => Promise<Ground>
  /** The processes that die with the node, without a chance to say goodbye. */
  readonly victims: (ground: Ground, node: string) => readonly Process[]
  readonly bringBack: (ground: Ground, node: string) => Promise<void>
  readonly stop: (ground: Ground) => void
}

export const address = '10.10.100.1'
const tool = join(import.meta.dirname, '../../test/lab/tool.ts')
const kubeconfig = `/run/berth-lab/${labName}/api/kubeconfig`

/** Loads objects into the lab's API. */
export const bring = (word: 'apply' | 'create', objects: readonly object[]): void =>
  void runIn('control', [process.execPath, tool, kubeconfig, word], JSON.stringify(objects))

function berth(name: string, args: readonly string[], prepare = (): void => undefined): Contender {
  return {
    name,
    async start() {
      const ground = newGround(...args.map((arg) => `--speaker-arg=${arg}`))
      prepare()
      return ground
    },
    victims: (ground, node) => speakersOf(ground, node),
    async bringBack(ground, node) {
      plugIn(ground, node)
      berthLab('heal')
    },
    stop: (ground) => ground.down(),
  }
}

const poolPath = '/apis/metallb.io/v1beta1/namespaces/metallb-system/ipaddresspools/lan'
const makeSafe = (): void =>
  bring('apply', [
    {
      path: poolPath,
      body: {
        apiVersion: 'metallb.io/v1beta1',
        kind: 'IPAddressPool',
        metadata: {
          name: 'lan',
          namespace: 'metallb-system',
          annotations: { 'berth.dev/split': 'safe' },
        },
      },
    },
  ])

type Running = { readonly child: ChildProcess; readonly node: string }

/** Three nodes, the first one preferred, as for one virtual router. */
function keepalived(name: string, version: 2 | 3, advertSeconds: number): Contender {
  const running = new Map<string, Running>()
  const launch = (ground: Ground, node: string): void => {
    const folder = join(ground.lab().folder, 'keepalived')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${node}.conf`)
    writeFileSync(file, keepalivedConfig(ground.nodes.indexOf(node), version, advertSeconds))
    // A new name each time: keepalived takes a leftover pid file for a running process.
    const turn = `${file}.${performance.now()}`
    const pids = ['-p', `${turn}.pid`, '-r', `${turn}.vrrp.pid`]
    const command = ['keepalived', '-P', '-n', '-l', '-f', file, ...pids]
    running.set(node, { child: startIn(node, command, 'ignore'), node })
  }
  return {
    name,
    async start() {
      const ground = newGround('--without-speakers')
      for (const node of ground.nodes) launch(ground, node)
      return ground
    },
    victims(_, node) {
      const pid = running.get(node)?.child.pid ?? 0
      const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      const pids = [pid, ...stdout.split('\n').map(Number)].filter((one) => one > 0)
      return pids.map((one) => ({ pid: one, since: '' }))
    },
    async bringBack(ground, node) {
      // A killed keepalived leaves its address on the interface.
      spawnSync('ip', [
        '-n',
        `berth-lab-${labName}-${node}`,
        'address',
        'delete',
        `${address}/32`,
        'dev',
        'eth0',
      ])
      plugIn(ground, node)
      launch(ground, node)
      await sleep(100)
    },
    stop(ground) {
      for (const { child } of running.values()) child.kill()
      ground.down()
    },
  }
}

const keepalivedConfig = (index: number, version: 2 | 3, advertSeconds: number): string => `
global_defs {
  vrrp_version ${version}
  vrrp_garp_master_delay 0
}
vrrp_instance web {
  state BACKUP
  interface eth0
  virtual_router_id 51
  priority ${150 - 10 * index}
  advert_int ${advertSeconds}
  virtual_ipaddress {
    ${address}/32 dev eth0
  }
}
`

/** As shipped: memberlist finds the others by their Pods. */
function metallb(binary: string): Contender {
  const running = new Map<string, ChildProcess>()
  const launch = (ground: Ground, node: string): void => {
    const machine = nodesOf(ground.lab()).find(({ name }) => name === node)
    const host = machine && portOn(machine, 'mgmt')?.addresses[4]
    const env = [
      ...[`METALLB_NODE_NAME=${node}`, `METALLB_HOST=${host}`, 'METALLB_NAMESPACE=metallb-system'],
      ...[`METALLB_ML_BIND_ADDR=${host}`, 'METALLB_ML_BIND_PORT=7946'],
      ...['METALLB_ML_LABELS=app=metallb,component=speaker', 'METALLB_ML_SECRET_KEY=bench'],
      ...[`METALLB_POD_NAME=speaker-${node}`, `KUBECONFIG=${kubeconfig}`],
    ]
    const flags = [`--kubeconfig=${kubeconfig}`, '--port=7472', '--log-level=warn']
    running.set(node, startIn(node, ['env', ...env, binary, ...flags], 'ignore'))
  }
  return {
    name: 'MetalLB, as shipped',
    async start() {
      const ground = newGround('--kube', '--without-speakers')
      for (const { name, ports } of nodesOf(ground.lab())) {
        // In order: the second object depends on the first.
        for (const object of speakerPod(name, ports[0]?.addresses[4])) bring('apply', [object])
      }
      for (const node of ground.nodes) launch(ground, node)
      return ground
    },
    victims: (_, node) => [{ pid: running.get(node)?.pid ?? 0, since: '' }],
    async bringBack(ground, node) {
      plugIn(ground, node)
      launch(ground, node)
    },
    stop(ground) {
      for (const child of running.values()) child.kill('SIGKILL')
      ground.down()
    },
  }
}

/** Pod with its status, which takes a request of its own. */
function speakerPod(node: string, ip: string | undefined): readonly object[] {
  const path = `/api/v1/namespaces/metallb-system/pods/speaker-${node}`
  const labels = { app: 'metallb', component: 'speaker' }
  const metadata = { name: `speaker-${node}`, namespace: 'metallb-system', labels }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata }
  const containers = [{ name: 'speaker', image: 'metallb' }]
  return [
    { path, body: { ...pod, spec: { nodeName: node, hostNetwork: true, containers } } },
    { path: `${path}/status`, body: { ...pod, status: { phase: 'Running', podIP: ip } } },
  ]
}

const keepaliveds = [
  keepalived('keepalived, VRRPv2, 1 s', 2, 1),
  keepalived('keepalived, VRRPv3, 100 ms', 3, 0.1),
]

/** Debian: apt-get install keepalived. */
const hasKeepalived = (): boolean => spawnSync('keepalived', ['--version']).status === 0

/** `binary` is MetalLB's speaker, if available. */
export const contenders = (binary: string | undefined): readonly Contender[] => [
  berth('Berth', []),
  berth('Berth, tuned', ['--members-beat=20', '--members-timeout=150']),
  berth('Berth, safe pool', [], makeSafe),
  ...(hasKeepalived() ? keepaliveds : []),
  ...(binary === undefined ? [] : [metallb(binary)]),
]
