// A cluster to migrate: real API server, scheduler and controller-manager, nodes in network
// namespaces, and a small kubelet that starts a program for each pod. Nothing of it touches the host.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

export type Ran = { readonly exit: number; readonly out: string; readonly err: string }
type Control = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler'
export type Rig = {
  readonly folder: string
  readonly nodes: readonly string[]
  readonly kubectl: (args: readonly string[], stdin?: string) => string
  /** On the client, which is on the wire of the addresses. */
  readonly shell: (commands: string, timeoutMs?: number) => Ran
  /** Starts on the client, and leaves it running. */
  readonly start: (command: string) => ChildProcess
  /** Kills -9 every program of a pod; all of them are started again. */
  readonly crash: () => void
  /** Kills -9 programs of the control plane, and starts them again over the same data. */
  readonly crashControl: (...names: readonly Control[]) => Promise<void>
  readonly stop: () => Promise<void>
}
export type RigOptions = {
  /** Folder of etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kube-proxy. */
  readonly engine: string
  readonly kubectl: string
  /** Offered to commands as well. */
  readonly helm?: string
  readonly nodes?: number
  /** kube-proxy on each node: a request to an address reaches a pod. */
  readonly hasProxy?: boolean
  /** The control plane gets the processor that the nodes leave, as if it had machines of its own. */
  readonly isControlApart?: boolean
  /** By beginning of an image, the program that is run for it; one that ends in berth gets its verb. */
  readonly images?: Readonly<Record<string, readonly string[]>>
}

const run = (command: readonly string[], input = '', timeout = 120_000): Ran => {
  const [program = '', ...args] = command
  const ran = spawnSync(program, args, { encoding: 'utf8', input, timeout, maxBuffer: 1 << 26 })
  return { exit: ran.status ?? -1, out: ran.stdout, err: ran.stderr }
}
const must = (command: readonly string[], input = ''): string => {
  const { exit, out, err } = run(command, input)
  if (exit !== 0) throw new Error(`${command.join(' ')}: ${out}${err}`)
  return out
}

const controllers = [
  'deployment',
  'replicaset',
  'daemonset',
  'endpoints',
  'endpointslice',
  'namespace',
  'garbage-collector',
  'serviceaccount',
].map((name) => `${name}-controller`)

/** On the wire of the addresses. */
export const clientAddresses = { lan4: '10.10.0.2', lan6: 'fd00:10::2' } as const

/** A router on the client, and the nodes. */
export const asNumbers = { nodes: 64513, router: 64512 } as const

/**
 * Namespaces on two bridges: all on mgmt (10.1.0.0/24), nodes and client on lan (10.10.0.0/16 and
 * fd00:10::/64).
 */
function buildWires(prefix: string, nodes: readonly string[]): void {
  const fabric = `${prefix}-fabric`
  const all = [
    fabric,
    `${prefix}-control`,
    `${prefix}-client`,
    ...nodes.map((n) => `${prefix}-${n}`),
  ]
  for (const name of all) {
    must(['ip', 'netns', 'add', name])
    must(['ip', '-n', name, 'link', 'set', 'lo', 'up'])
    must(['ip', 'netns', 'exec', name, 'sysctl', '-qw', 'net.ipv6.conf.default.accept_dad=0'])
    must(['ip', 'netns', 'exec', name, 'sysctl', '-qw', 'net.ipv4.conf.all.arp_ignore=1'])
  }
  for (const bridge of ['br-mgmt', 'br-lan']) {
    must(['ip', '-n', fabric, 'link', 'add', bridge, 'type', 'bridge'])
    must(['ip', '-n', fabric, 'link', 'set', bridge, 'up'])
  }
  plug(prefix, 'control', { bridge: 'br-mgmt', name: 'mgmt0', address: '10.1.0.1/24' })
  plug(prefix, 'client', { bridge: 'br-mgmt', name: 'mgmt0', address: '10.1.0.2/24' })
  const { lan4, lan6 } = clientAddresses
  const lan = { bridge: 'br-lan', name: 'eth0' }
  plug(prefix, 'client', { ...lan, address: `${lan4}/16`, address6: `${lan6}/64` })
  nodes.forEach((node, at) => {
    plug(prefix, node, { bridge: 'br-mgmt', name: 'mgmt0', address: `10.1.0.${11 + at}/24` })
    const address6 = `fd00:10::${11 + at}/64`
    plug(prefix, node, { ...lan, address: `10.10.0.${11 + at}/16`, address6 })
  })
}

let plugs = 0
type Plug = {
  readonly bridge: string
  readonly name: string
  readonly address: string
  readonly address6?: string
}
function plug(prefix: string, machine: string, { bridge, name, address, address6 }: Plug): void {
  const [fabric, inside] = [`${prefix}-fabric`, `${prefix}-${machine}`]
  const port = `p${++plugs}`
  must([
    'ip',
    '-n',
    fabric,
    'link',
    'add',
    port,
    'type',
    'veth',
    'peer',
    'name',
    name,
    'netns',
    inside,
  ])
  must(['ip', '-n', fabric, 'link', 'set', port, 'master', bridge, 'up'])
  must(['ip', '-n', inside, 'link', 'set', name, 'up'])
  for (const one of [address, ...(address6 === undefined ? [] : [address6])]) {
    must(['ip', '-n', inside, 'addr', 'add', one, 'dev', name])
  }
}

/** Its whole group ends with us, whatever becomes of us. */
const guarded =
  'exec 3<&0; { cat <&3 >/dev/null; kill -KILL 0; } 2>/dev/null & exec "$@" 3<&- </dev/null'

export async function startRig(options: RigOptions): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-rig-'))
  const prefix = `rig${process.pid}`
  const nodes = Array.from({ length: options.nodes ?? 3 }, (_, at) => `node-${at + 1}`)
  const running: ChildProcess[] = []
  const inside = (machine: string, command: readonly string[]) => [
    ...['ip', 'netns', 'exec', `${prefix}-${machine}`],
    ...command,
  ]
  const inControl = (command: readonly string[]) =>
    inside('control', options.isControlApart ? ['nice', '-n', '10', ...command] : command)
  const start = (name: string, command: readonly string[]): ChildProcess => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const child = spawn('sh', ['-c', guarded, 'sh', ...command], {
      stdio: ['pipe', log, log],
      detached: true,
    })
    closeSync(log)
    running.push(child)
    return child
  }
  const stop = async (): Promise<void> => {
    for (const child of [...running].reverse()) {
      if (child.pid !== undefined && child.exitCode === null) {
        try {
          process.kill(child.pid, 'SIGTERM')
        } catch {
          // It has just ended.
        }
      }
      await sleep(child === running.at(-1) ? 3_000 : 100)
      child.stdin?.destroy()
    }
    await sleep(500)
    const names = must(['ip', 'netns', 'list'])
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '')
    for (const name of names.filter((one) => one.startsWith(`${prefix}-`)))
      run(['ip', 'netns', 'del', name])
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    buildWires(prefix, nodes)
    const kubeconfig = writeAccess(folder)
    const program = (name: string) => join(options.engine, name)
    const etcd = 'http://127.0.0.1:2379'
    const control: Readonly<Record<Control, readonly string[]>> = {
      etcd: [
        ...[program('etcd'), `--data-dir=${join(folder, 'etcd')}`, '--unsafe-no-fsync'],
        ...['--log-level=warn', `--listen-client-urls=${etcd}`, `--advertise-client-urls=${etcd}`],
      ],
      'kube-apiserver': [
        ...[program('kube-apiserver'), `--etcd-servers=${etcd}`],
        `--cert-dir=${join(folder, 'certs')}`,
        ...['--bind-address=10.1.0.1', '--secure-port=6443', '--enable-aggregator-routing=true'],
        '--service-cluster-ip-range=10.96.0.0/16,fd00:96::/112',
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${join(folder, 'accounts.key')}`,
        `--service-account-signing-key-file=${join(folder, 'accounts.key')}`,
        `--token-auth-file=${join(folder, 'tokens.csv')}`,
        '--authorization-mode=RBAC',
        '--allow-privileged=true',
      ],
      'kube-controller-manager': [
        ...[program('kube-controller-manager'), `--kubeconfig=${kubeconfig}`],
        ...['--leader-elect=false', `--controllers=${controllers.join(',')}`, '--secure-port=0'],
        ...['--kube-api-qps=500', '--kube-api-burst=1000'],
        `--service-account-private-key-file=${join(folder, 'accounts.key')}`,
      ],
      'kube-scheduler': [
        ...[program('kube-scheduler'), `--kubeconfig=${kubeconfig}`, '--leader-elect=false'],
        '--secure-port=0',
      ],
    }
    const alive = new Map<Control, ChildProcess>()
    const begin = (name: Control) => void alive.set(name, start(name, inControl(control[name])))
    const kill = async (name: Control): Promise<void> => {
      const child = alive.get(name)
      if (child?.pid === undefined) throw new Error(`${name} does not run`)
      const ended = once(child, 'exit')
      process.kill(child.pid, 'SIGKILL')
      await ended
    }
    begin('etcd')
    begin('kube-apiserver')
    const kubectl = (args: readonly string[], stdin = ''): string =>
      must(
        inside('client', [
          'env',
          'NO_PROXY=*',
          options.kubectl,
          `--kubeconfig=${kubeconfig}`,
          ...args,
        ]),
        stdin,
      )
    await ready(() => kubectl(['get', '--raw', '/readyz']))
    begin('kube-controller-manager')
    begin('kube-scheduler')
    for (const node of options.hasProxy ? nodes : []) {
      must(inside(node, ['sysctl', '-qw', 'net.ipv4.ip_forward=1']))
      start(
        `kube-proxy-${node}`,
        inside(node, [
          ...['env', 'NO_PROXY=*', program('kube-proxy'), `--kubeconfig=${kubeconfig}`],
          ...['--proxy-mode=nftables', `--hostname-override=${node}`],
          '--conntrack-max-per-core=0',
        ]),
      )
    }
    writeFileSync(join(folder, 'images.json'), JSON.stringify(options.images ?? {}))
    const kubelet = start(
      'kubelet',
      inside('control', [
        ...['env', 'NO_PROXY=*', process.execPath, join(import.meta.dirname, 'kubelet.ts')],
        ...[kubeconfig, folder, prefix, nodes.join(',')],
      ]),
    )
    await ready(() => {
      const count = kubectl(['get', 'nodes', '-o', 'name']).trim().split('\n').length
      if (count !== nodes.length) throw new Error('nodes are missing')
    })
    const bin = scripts(folder, options)
    const env = [
      'env',
      'NO_PROXY=*',
      `KUBECONFIG=${kubeconfig}`,
      `PATH=${bin}:${process.env['PATH']}`,
    ]
    const commanded = (commands: string) =>
      inside('client', [
        ...env,
        'bash',
        '-euo',
        'pipefail',
        '-c',
        `cd '${resolve('.')}'; ${commands}`,
      ])
    return {
      folder,
      nodes,
      kubectl,
      shell: (commands, timeoutMs = 300_000) => run(commanded(commands), '', timeoutMs),
      start: (command) => {
        const [first = '', ...args] = commanded(command)
        return spawn(first, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      },
      crash: () => void process.kill(kubelet.pid ?? 0, 'SIGUSR2'),
      async crashControl(...names) {
        for (const name of names) await kill(name)
        for (const name of names) begin(name)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function writeAccess(folder: string): string {
  mkdirSync(join(folder, 'certs'), { recursive: true })
  writeFileSync(join(folder, 'tokens.csv'), 'token-of-admin,admin,admin,"system:masters"\n')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(folder, 'accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
  const file = join(folder, 'kubeconfig')
  const cluster = {
    server: 'https://10.1.0.1:6443',
    'certificate-authority': join(folder, 'certs', 'apiserver.crt'),
  }
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'rig' },
    clusters: [{ name: 'rig', cluster }],
    users: [{ name: 'admin', user: { token: 'token-of-admin' } }],
    contexts: [{ name: 'rig', context: { cluster: 'rig', user: 'admin' } }],
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

function scripts(folder: string, { kubectl, helm }: RigOptions): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const script = (name: string, command: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 })
  script('kubectl', `'${kubectl}'`)
  if (helm !== undefined) script('helm', `'${helm}'`)
  const main = existsSync('dist/main.js') ? 'dist/main.js' : 'src/main.ts'
  script('berth', `'${process.execPath}' '${resolve(main)}'`)
  return bin
}

async function ready(look: () => void): Promise<void> {
  for (const endMs = performance.now() + 60_000; ; ) {
    try {
      return look()
    } catch (error) {
      if (performance.now() > endMs) throw error
      await sleep(500)
    }
  }
}
