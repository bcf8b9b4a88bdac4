// A kubelet of a few hundred lines: for each pod of its nodes it starts the programs of its containers
// in a network namespace, probes them, reports them, and ends them when the pod goes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { readConnection } from '../../src/edge/kube/api/connection.ts'
import { yamlOrFault } from '../../src/edge/manifests/parseYaml.ts'
import { type Container, command, type Env, Program, say } from './program.ts'

const [kubeconfig = '', folder = '', prefix = '', nodeList = ''] = process.argv.slice(2)
const nodes = nodeList.split(',')
const images: Readonly<Record<string, readonly string[]>> = {
  berth: [process.execPath, resolve('dist/main.js')],
  ...JSON.parse(readFileSync(join(folder, 'images.json'), 'utf8')),
}

const isOurs = (image: string): boolean => /^([\w-]+\/)?berth(:|$)/.test(image)

/** The image has Node, and a pod may run something else on it. */
function programOf({ image, command: [, what] = [] }: Container): readonly string[] | undefined {
  if (isOurs(image) && what !== undefined && what !== 'dist/main.js') {
    return [process.execPath, what]
  }
  const name = Object.keys(images).find((one) => image.startsWith(one))
  return name === undefined ? undefined : images[name]
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
let hosts = 100
class Running {
  readonly pod: Pod
  readonly folder: string
  ip = ''
  readonly #programs: readonly Program[]
  #namespace = ''
  #isEnding = false
  #mounted = ''
  #reported = ''

  constructor(pod: Pod) {
    this.pod = pod
    this.folder = join(folder, 'pods', pod.metadata.uid)
    this.#programs = pod.spec.containers.flatMap((container) => {
      const words = programOf(container)
      return words === undefined ? [] : [new Program(container, words)]
    })
  }

  /** One round: whatever is due. */
  async tend(): Promise<void> {
    if (this.#isEnding) return
    const isMounted = await this.#mount()
    if (isMounted) await this.#start()
    await Promise.all(this.#programs.map((one) => one.probe(this.#namespace, this.ip)))
    await this.#report()
  }

  async #start(): Promise<void> {
    const ended = this.#programs.filter(({ isRunning }) => !isRunning)
    if (ended.length === 0) return
    const { spec, metadata } = this.pod
    if (this.#namespace === '') {
      if (spec.hostNetwork) {
        this.#namespace = `${prefix}-${spec.nodeName}`
        this.ip = `10.1.0.${11 + nodes.indexOf(spec.nodeName ?? '')}`
      } else await this.#ownNamespace()
    }
    const KUBECONFIG = await this.#access()
    for (const program of ended) {
      const env = { ...this.#env(program.container), KUBECONFIG }
      const at = {
        namespace: this.#namespace,
        folder: this.folder,
        log: join(folder, `pod-${metadata.name}.log`),
      }
      program.start(this.#words(program.container, env), env, at)
    }
  }

  /** What comes after the program itself: for ours the verb, and the arguments. */
  #words({ image, command: words = [], args = [], ...container }: Container, env: Env): string[] {
    const verb = isOurs(image) ? words.slice(2) : []
    const told = [...verb, ...args].map((word) => this.#relocated(word, container.volumeMounts))
    return told.map((word) => word.replace(/\$\((\w+)\)/g, (_, name: string) => env[name] ?? ''))
  }

  #relocated(text: string, mounts: Container['volumeMounts'] = []): string {
    const isMounted = mounts.some(({ mountPath }) => text.startsWith(mountPath))
    return isMounted ? join(this.folder, text) : text
  }

  #env({ name: container, env = [], volumeMounts }: Container): Env {
    const { metadata, spec } = this.pod
    const fields: Record<string, string> = {
      'metadata.name': metadata.name,
      'metadata.namespace': metadata.namespace,
      'metadata.uid': metadata.uid,
      'spec.nodeName': spec.nodeName ?? '',
      'status.podIP': this.ip,
      'status.hostIP': `10.1.0.${11 + nodes.indexOf(spec.nodeName ?? '')}`,
    }
    const own = env.map(({ name, value, valueFrom }) => [
      name,
      valueFrom?.fieldRef
        ? (fields[valueFrom.fieldRef.fieldPath] ?? '')
        : this.#relocated(value ?? '', volumeMounts),
    ])
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.folder,
      TMPDIR: join(this.folder, 'tmp'),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled'),
      METALLB_NAMESPACE: metadata.namespace,
      CONTAINER_NAME: container,
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
    const mounts = this.#programs.flatMap(({ container }) => container.volumeMounts ?? [])
    for (const { name, mountPath } of mounts) {
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

  async #report(): Promise<void> {
    const { name, namespace } = this.pod.metadata
    const [first] = this.#programs
    const hasBegun = first !== undefined && this.#programs.every((one) => one.hasBegun)
    const isReady = first !== undefined && this.#programs.every((one) => one.isReady)
    const status = {
      phase: hasBegun ? 'Running' : 'Pending',
      ...(this.ip === '' ? {} : { podIP: this.ip, podIPs: [{ ip: this.ip }] }),
      conditions: ['Initialized', 'PodScheduled', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: type.includes('Ready') && !isReady ? 'False' : 'True',
      })),
      containerStatuses: this.#programs.map((one) => one.status()),
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
    await Promise.all(this.#programs.map((one) => one.end(graceSeconds)))
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
    for (const one of this.#programs) one.kill()
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
  await sleep(200)
}
