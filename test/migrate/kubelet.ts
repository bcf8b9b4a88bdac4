// A kubelet of a few hundred lines: for each pod of its nodes it starts one program in a network
// namespace, probes it, reports it, and ends it when the pod goes.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { readConnection } from '../../src/edge/kube/api/connection.ts'
import { yamlOrFault } from '../../src/edge/manifests/parseYaml.ts'

const [kubeconfig = '', folder = '', prefix = '', nodeList = ''] = process.argv.slice(2)
const nodes = nodeList.split(',')
const images: Readonly<Record<string, readonly string[]>> = {
  berth: [process.execPath, resolve('dist/main.js')],
  ...JSON.parse(readFileSync(join(folder, 'images.json'), 'utf8')),
}

function programOf(image: string): readonly string[] | undefined {
  const name = Object.keys(images).find((one) => image.startsWith(one))
  return name === undefined ? undefined : images[name]
}

type Probe = {
  readonly httpGet?: {
    readonly host?: string
    readonly path: string
    readonly port: number | string
  }
  readonly initialDelaySeconds?: number
  readonly periodSeconds?: number
}
type Container = {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: readonly {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } }
  }[]
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[]
  readonly readinessProbe?: Probe
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}
type Source = { readonly optional?: boolean; readonly secretName?: string; readonly name?: string }
type Pod = {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly uid: string
    readonly deletionTimestamp?: string
    readonly deletionGracePeriodSeconds?: number
  }
  readonly spec: {
    readonly nodeName?: string
    readonly hostNetwork?: boolean
    readonly serviceAccountName?: string
    readonly terminationGracePeriodSeconds?: number
    readonly containers: readonly Container[]
    readonly volumes?: readonly {
      readonly name: string
      readonly secret?: Source
      readonly configMap?: Source
    }[]
  }
}

const connection = await readConnection({ kubeconfig, env: {}, home: '/', parseYaml: yamlOrFault })
const api: Api = newApi(connection)
const call = api.call
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const say = (text: string): void =>
  void process.stdout.write(`${new Date().toISOString()} ${text}\n`)

const command = (words: readonly string[]): Promise<number> =>
  new Promise((done) => {
    const [program = '', ...args] = words
    spawn(program, args, { stdio: 'ignore' })
      .on('exit', (code) => done(code ?? 1))
      .on('error', () => done(1))
  })

const curl = ['curl', '-sf', '--noproxy', '*', '-m', '1']
let hosts = 100
class Running {
  readonly pod: Pod
  readonly folder: string
  ip = ''
  #namespace = ''
  #child: ChildProcess | undefined
  #startedMs = 0
  #isReady = false
  #isEnding = false
  #probedMs = 0
  #mounted = ''
  #reported = ''
  #restarts = 0

  constructor(pod: Pod) {
    this.pod = pod
    this.folder = join(folder, 'pods', pod.metadata.uid)
  }

  /** The one that there is a program for: of FRR's containers beside a speaker none is started. */
  get #container(): Container {
    const { containers } = this.pod.spec
    const one = containers.find(({ image }) => programOf(image) !== undefined) ?? containers[0]
    if (one === undefined) throw new Error('no container')
    return one
  }

  /** One round: whatever is due. */
  async tend(): Promise<void> {
    if (this.#isEnding) return
    const isMounted = await this.#mount()
    if (this.#child === undefined && isMounted) await this.#start()
    await this.#probe()
    await this.#report()
  }

  async #start(): Promise<void> {
    const { spec, metadata } = this.pod
    const at = nodes.indexOf(spec.nodeName ?? '')
    if (this.#namespace === '') {
      if (spec.hostNetwork) {
        this.#namespace = `${prefix}-${spec.nodeName}`
        this.ip = `10.1.0.${11 + at}`
      } else await this.#ownNamespace()
    }
    const access = await this.#access()
    const words = [...(programOf(this.#container.image) ?? []), ...this.#words()]
    const log = openSync(join(folder, `pod-${metadata.name}.log`), 'a')
    this.#child = spawn('ip', ['netns', 'exec', this.#namespace, ...words], {
      stdio: ['ignore', log, log],
      env: { ...this.#env(), KUBECONFIG: access },
      cwd: this.folder,
    })
    closeSync(log)
    this.#startedMs = performance.now()
    say(`${metadata.name}: started as ${this.#child.pid} on ${spec.nodeName}`)
    this.#child.on('exit', (code, signal) => {
      say(`${metadata.name}: ended with ${code ?? signal}`)
      this.#child = undefined
      this.#isReady = false
      this.#restarts++
    })
  }

  /** What comes after the program itself: for ours the verb, and the arguments. */
  #words(): readonly string[] {
    const { command: words = [], args = [] } = this.#container
    const isOurs = /^([\w-]+\/)?berth(:|$)/.test(this.#container.image)
    const verb = isOurs ? words.slice(2) : []
    return [...verb, ...args].map((word) => this.#relocated(word))
  }

  #relocated(text: string): string {
    const mount = (this.#container.volumeMounts ?? []).find(({ mountPath }) =>
      text.startsWith(mountPath),
    )
    return mount === undefined ? text : join(this.folder, text)
  }

  #env(): Record<string, string> {
    const { metadata, spec } = this.pod
    const at = nodes.indexOf(spec.nodeName ?? '')
    const fields: Record<string, string> = {
      'metadata.name': metadata.name,
      'metadata.namespace': metadata.namespace,
      'metadata.uid': metadata.uid,
      'spec.nodeName': spec.nodeName ?? '',
      'status.podIP': this.ip,
      'status.hostIP': `10.1.0.${11 + at}`,
    }
    const own = (this.#container.env ?? []).map(({ name, value, valueFrom }) => [
      name,
      valueFrom?.fieldRef
        ? (fields[valueFrom.fieldRef.fieldPath] ?? '')
        : this.#relocated(value ?? ''),
    ])
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.folder,
      TMPDIR: join(this.folder, 'tmp'),
      METALLB_NAMESPACE: metadata.namespace,
      ...Object.fromEntries(own),
    }
  }

  /** A namespace on the mgmt bridge, as a network plugin gives one. */
  async #ownNamespace(): Promise<void> {
    const host = ++hosts
    const [name, fabric] = [`${prefix}-pod-${host}`, `${prefix}-fabric`]
    this.ip = `10.1.0.${host}`
    await command(['ip', 'netns', 'add', name])
    await command(['ip', '-n', name, 'link', 'set', 'lo', 'up'])
    const peer = ['peer', 'name', 'eth0', 'netns', name]
    await command(['ip', '-n', fabric, 'link', 'add', `q${host}`, 'type', 'veth', ...peer])
    await command(['ip', '-n', fabric, 'link', 'set', `q${host}`, 'master', 'br-mgmt', 'up'])
    await command(['ip', '-n', name, 'link', 'set', 'eth0', 'up'])
    await command(['ip', '-n', name, 'addr', 'add', `${this.ip}/24`, 'dev', 'eth0'])
    this.#namespace = name
  }

  /** With the rights of its service account. */
  async #access(): Promise<string> {
    const { metadata, spec } = this.pod
    const account = spec.serviceAccountName ?? 'default'
    const bound = { kind: 'Pod', apiVersion: 'v1', name: metadata.name, uid: metadata.uid }
    const asked = (await call({
      method: 'POST',
      path: `/api/v1/namespaces/${metadata.namespace}/serviceaccounts/${account}/token`,
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: ['https://kubernetes.default.svc'], boundObjectRef: bound },
      },
    })) as { readonly status: { readonly token: string } }
    const config = JSON.parse(readFileSync(kubeconfig, 'utf8'))
    config.users[0].user.token = asked.status.token
    const file = join(this.folder, 'kubeconfig')
    writeFileSync(file, JSON.stringify(config))
    return file
  }

  /** Secrets and ConfigMaps as files; false while one that is needed is missing. */
  async #mount(): Promise<boolean> {
    mkdirSync(join(this.folder, 'tmp'), { recursive: true })
    for (const { name, mountPath } of this.#container.volumeMounts ?? []) {
      const volume = this.pod.spec.volumes?.find((one) => one.name === name)
      const source = volume?.secret ?? volume?.configMap
      if (source === undefined) {
        mkdirSync(join(this.folder, mountPath), { recursive: true })
        continue
      }
      const plural = volume?.secret ? 'secrets' : 'configmaps'
      const path = `/api/v1/namespaces/${this.pod.metadata.namespace}/${plural}/${source.secretName ?? source.name}`
      const found = (await call({ method: 'GET', path }).catch(() => undefined)) as
        | { readonly data?: Readonly<Record<string, string>> }
        | undefined
      if (found === undefined && source.optional !== true) return false
      this.#write(join(this.folder, mountPath), found?.data ?? {}, plural === 'secrets')
    }
    return true
  }

  #write(at: string, data: Readonly<Record<string, string>>, isSecret: boolean): void {
    const text = JSON.stringify([at, data])
    mkdirSync(at, { recursive: true })
    if (this.#mounted.includes(text)) return
    this.#mounted += text
    for (const [name, value] of Object.entries(data)) {
      const file = join(at, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, isSecret ? Buffer.from(value, 'base64') : value)
    }
  }

  async #probe(): Promise<void> {
    const { readinessProbe: probe, ports = [] } = this.#container
    if (this.#child === undefined) return
    const nowMs = performance.now()
    if (probe?.httpGet === undefined) {
      this.#isReady = true
      return
    }
    const { initialDelaySeconds = 0, periodSeconds = 10 } = probe
    if (nowMs - this.#startedMs < initialDelaySeconds * 1_000) return
    if (nowMs - this.#probedMs < Math.min(periodSeconds, this.#isReady ? 5 : 1) * 1_000) return
    this.#probedMs = nowMs
    const { host = this.ip, path, port } = probe.httpGet
    const number = ports.find(({ name }) => name === port)?.containerPort ?? port
    const url = `http://${host}:${number}${path}`
    const asked = ['ip', 'netns', 'exec', this.#namespace, ...curl, url]
    this.#isReady = (await command(asked)) === 0
  }

  async #report(): Promise<void> {
    const { name, namespace } = this.pod.metadata
    const isRunning = this.#child !== undefined
    const status = {
      phase: isRunning || this.#restarts > 0 ? 'Running' : 'Pending',
      ...(this.ip === '' ? {} : { podIP: this.ip, podIPs: [{ ip: this.ip }] }),
      conditions: ['Initialized', 'PodScheduled', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: type.includes('Ready') && !this.#isReady ? 'False' : 'True',
      })),
      containerStatuses: [
        {
          ...{ name: this.#container.name, image: this.#container.image, imageID: '' },
          ...{ ready: this.#isReady, restartCount: this.#restarts },
          state: isRunning ? { running: {} } : { waiting: { reason: 'ContainerCreating' } },
        },
      ],
    }
    const text = JSON.stringify(status)
    if (text === this.#reported) return
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`
    await call({ method: 'PATCH', path, contentType: strategic, body: { status } })
      .then(() => {
        this.#reported = text
      })
      .catch((error: unknown) => say(`${name}: ${String(error)}`))
  }

  /** The object of a pod with a grace period of 0 is gone before its program is. */
  async end(graceSeconds: number): Promise<void> {
    if (this.#isEnding) return
    this.#isEnding = true
    const child = this.#child
    if (child !== undefined) {
      const ended = new Promise<void>((done) => child.on('exit', () => done()))
      child.kill('SIGTERM')
      await Promise.race([ended, sleep(Math.max(graceSeconds, 2) * 1_000)])
      child.kill('SIGKILL')
    }
    const { name, namespace, uid } = this.pod.metadata
    const body = { gracePeriodSeconds: 0, preconditions: { uid } }
    await call({
      method: 'DELETE',
      path: `/api/v1/namespaces/${namespace}/pods/${name}`,
      body,
    }).catch(() => undefined)
    if (this.#namespace.includes('-pod-')) await command(['ip', 'netns', 'del', this.#namespace])
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }
}

async function makeNodes(): Promise<void> {
  const capacity = { cpu: '8', memory: '16Gi', pods: '110' }
  for (const [at, name] of nodes.entries()) {
    const labels = { 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': name }
    const metadata = { name, labels }
    await call({
      method: 'POST',
      path: '/api/v1/nodes',
      body: { apiVersion: 'v1', kind: 'Node', metadata },
    }).catch(() => undefined)
    const conditions = [{ type: 'Ready', status: 'True', reason: 'Rig', message: '' }]
    const addresses = [{ type: 'InternalIP', address: `10.1.0.${11 + at}` }]
    const status = { capacity, allocatable: capacity, conditions, addresses }
    const path = `/api/v1/nodes/${name}/status`
    await call({ method: 'PATCH', path, contentType: merge, body: { status } })
    // Admission taints new nodes until they are ready.
    const body = { spec: { taints: null } }
    await call({ method: 'PATCH', path: `/api/v1/nodes/${name}`, contentType: merge, body })
  }
}

const pods = new Map<string, Running>()
const tending = new Set<string>()

/** A round of its own for each pod: one that waits holds up nobody. */
function tend(uid: string, running: Running): void {
  if (tending.has(uid)) return
  tending.add(uid)
  void running
    .tend()
    .catch((error: unknown) => say(String(error)))
    .finally(() => tending.delete(uid))
}

async function round(): Promise<void> {
  const { items } = (await call({ method: 'GET', path: '/api/v1/pods' })) as {
    items: readonly Pod[]
  }
  const there = new Map(items.map((pod) => [pod.metadata.uid, pod]))
  for (const [uid, running] of pods) {
    const pod = there.get(uid)
    if (pod === undefined) {
      pods.delete(uid)
      void running.end(0)
    } else if (pod.metadata.deletionTimestamp !== undefined) {
      void running.end(pod.metadata.deletionGracePeriodSeconds ?? 0)
    } else tend(uid, running)
  }
  for (const pod of items) {
    const { uid, deletionTimestamp } = pod.metadata
    if (pods.has(uid) || deletionTimestamp !== undefined) continue
    if (nodes.includes(pod.spec.nodeName ?? '')) pods.set(uid, new Running(pod))
  }
}

const killAll = (): void => {
  for (const running of pods.values()) running.kill()
}
const end = async (): Promise<void> => {
  killAll()
  await sleep(200)
  process.exit(0)
}
process.on('SIGTERM', () => void end())
process.on('SIGUSR2', killAll)
await makeNodes()
for (;;) {
  await round().catch((error: unknown) => say(String(error)))
  await sleep(100)
}
