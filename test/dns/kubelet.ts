// A kubelet for the pods of DNS servers: it starts their containers as processes of this machine, on
// loopback, restarts and ends them, and reports what the API server, and through it Berth, is to know.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { core, strategic, verbs } from '../kube/cluster.ts'
import type { KubeAddress } from '../kube/harness.ts'
import { type Program, startProgram } from '../kube/program.ts'
import { command } from '../up/berth.ts'

const namespace = 'openstack'
const [roundMs, againMs, node] = [100, 1_000, 'node-1']

type Container = {
  readonly name: string
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: string[] } } }
}
type Pod = {
  readonly metadata: {
    readonly name: string
    readonly uid: string
    readonly deletionTimestamp?: string
    readonly annotations: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly nodeName?: string
    readonly serviceAccountName: string
    readonly initContainers: readonly Container[]
    readonly containers: readonly Container[]
    readonly volumes: readonly Volume[]
  }
}
type Volume = {
  readonly downwardAPI?: {
    readonly items: readonly [{ readonly fieldRef: { readonly fieldPath: string } }]
  }
}
type Ended = { readonly name: string; readonly code: number | null; readonly message: string }
type Parts = { readonly kube: KubeAddress; readonly api: Api; readonly signal: AbortSignal }

/** A loopback address cannot be one of an endpoint, and 10.77.0.0/16 is nowhere here. */
export const reported = (at: number): string => `10.77.0.${at}`
export const listening = (ip: string): string => ip.replace(/^10\./, '127.')

let last = 0

export class RunningPod {
  readonly pod: Pod
  readonly ip = reported(++last)
  readonly #parts: Parts
  readonly #folder: string
  readonly #running = new Map<string, Program>()
  #isEnding = false

  constructor(parts: Parts, pod: Pod) {
    this.#parts = parts
    this.pod = pod
    // Goes with the cluster.
    this.#folder = join(parts.kube.folder, 'pods', pod.metadata.uid)
    for (const one of ['etc/dnsmasq.d/hosts', 'etc/dnsmasq.servers']) {
      mkdirSync(join(this.#folder, one), { recursive: true })
    }
  }

  container(name: string): Program | undefined {
    return this.#running.get(name)
  }

  /** Until the pod goes; what ends is started again. */
  async run(): Promise<void> {
    this.#mount()
    await this.#token()
    for (const one of this.pod.spec.initContainers) {
      while (!this.#isEnding && !(await this.#succeeds(one))) await sleep(againMs)
    }
    while (!this.#isEnding) {
      for (const one of this.pod.spec.containers) {
        const before = this.#running.get(one.name)
        if (before !== undefined && !before.hasEnded()) continue
        if (before !== undefined) {
          await this.#report({ name: one.name, code: before.status(), message: before.lastWords() })
          await sleep(againMs)
        }
        this.#running.set(one.name, this.#start(one))
      }
      await this.#report()
      await sleep(roundMs)
    }
  }

  /** As kubelet does: what runs before the end first, then the end. */
  async end(): Promise<void> {
    if (this.#isEnding) return
    this.#isEnding = true
    const [, seconds = '0'] =
      this.pod.spec.containers.flatMap((one) => one.lifecycle?.preStop.exec.command ?? []) ?? []
    await sleep(1000 * Number(seconds))
    await this.kill()
    const body = { gracePeriodSeconds: 0, preconditions: { uid: this.pod.metadata.uid } }
    const path = `/api/v1/namespaces/${namespace}/pods/${this.pod.metadata.name}`
    await this.#parts.api.call({ method: 'DELETE', path, body }).catch(() => undefined)
  }

  async kill(): Promise<void> {
    this.#isEnding = true
    await Promise.all([...this.#running.values()].map((one) => one.stop('SIGTERM')))
  }

  /** The one file that comes from the pod itself. */
  #mount(): void {
    const found = this.pod.spec.volumes.find((one) => one.downwardAPI !== undefined)
    const path = found?.downwardAPI?.items[0].fieldRef.fieldPath ?? ''
    const [, key = ''] = /^metadata\.annotations\['(.*)'\]$/.exec(path) ?? []
    const text = this.pod.metadata.annotations[key] ?? ''
    writeFileSync(join(this.#folder, 'etc/dnsmasq.d/config.cfg'), text)
  }

  /** With the rights of its account. */
  async #token(): Promise<void> {
    const { api, kube } = this.#parts
    const account = this.pod.spec.serviceAccountName
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const asked = await api.call({ method: 'POST', path, body })
    const { token } = (asked as { status: { token: string } }).status
    const cluster = { server: kube.server, 'certificate-authority': kube.caFile }
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'pod' },
      clusters: [{ name: 'pod', cluster }],
      users: [{ name: 'pod', user: { token } }],
      contexts: [{ name: 'pod', context: { cluster: 'pod', user: 'pod' } }],
    }
    writeFileSync(join(this.#folder, 'kubeconfig'), JSON.stringify(config))
  }

  #start({ name, command: [program = '', , verb = ''], args }: Container): Program {
    const isOurs = program !== 'dnsmasq'
    const here = args
      .filter((arg) => arg !== '--interface=*')
      .map((arg) => arg.replaceAll('/etc/dnsmasq', join(this.#folder, 'etc/dnsmasq')))
      .map((arg) => arg.replace('$(POD_IP)', listening(this.ip)))
    return startProgram({
      name,
      path: isOurs ? command : program,
      args: isOurs ? [verb, ...here] : [...here, '--user=root'],
      folder: this.#folder,
      env: {
        ...process.env,
        KUBECONFIG: join(this.#folder, 'kubeconfig'),
        POD_NAMESPACE: namespace,
      },
    })
  }

  async #succeeds(container: Container): Promise<boolean> {
    const { name } = container
    const program = this.#start(container)
    this.#running.set(name, program)
    while (!program.hasEnded()) await sleep(roundMs)
    this.#running.delete(name)
    const code = program.status()
    if (code !== 0) await this.#report({ name, code, message: program.lastWords() })
    return code === 0
  }

  async #report(failed?: Ended): Promise<void> {
    const { initContainers, containers } = this.pod.spec
    const ready = (name: string): boolean => {
      const program = this.#running.get(name)
      if (program === undefined || program.hasEnded()) return false
      return name !== 'dnsmasq-dns' || program.log().includes('started, version')
    }
    const isReady = containers.every(({ name }) => ready(name))
    const stateOf = (name: string) => {
      if (failed?.name !== name) return this.#running.has(name) ? { running: {} } : { waiting: {} }
      return { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } }
    }
    const statusOf = ({ name }: Container) => ({
      ...{ name, image: name, imageID: name, restartCount: 0, ready: ready(name) },
      state: stateOf(name),
      ...(failed?.name === name && {
        lastState: { terminated: { exitCode: failed.code ?? 137, message: failed.message } },
      }),
    })
    const hasBegun = containers.some(({ name }) => this.#running.has(name))
    const done = { terminated: { exitCode: 0 } }
    const status = {
      phase: hasBegun ? 'Running' : 'Pending',
      podIP: this.ip,
      podIPs: [{ ip: this.ip }],
      conditions: ['PodScheduled', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: type === 'PodScheduled' || isReady ? 'True' : 'False',
      })),
      initContainerStatuses: initContainers.map((one) =>
        hasBegun ? { ...statusOf(one), state: done } : statusOf(one),
      ),
      containerStatuses: containers.map(statusOf),
    }
    const path = `/api/v1/namespaces/${namespace}/pods/${this.pod.metadata.name}/status`
    const request = { method: 'PATCH', path, contentType: strategic, body: { status } } as const
    await this.#parts.api.call(request).catch(() => undefined)
  }
}

export class Kubelet {
  readonly #parts: Parts
  readonly #pods = new Map<string, RunningPod>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Those that have not been told to go, oldest first. */
  get pods(): readonly RunningPod[] {
    return [...this.#pods.values()]
  }

  async run(): Promise<void> {
    const { api, signal } = this.#parts
    const pods = verbs(api, core('pods', namespace))
    while (!signal.aborted) {
      const { items } = await pods.list()
      for (const pod of items as unknown as readonly Pod[]) await this.#tend(pod)
      const there = new Set(items.map(({ metadata }) => metadata.uid))
      for (const uid of this.#pods.keys()) if (!there.has(uid)) this.#pods.delete(uid)
      await sleep(roundMs)
    }
    await Promise.all(this.pods.map((one) => one.kill()))
  }

  async #tend(pod: Pod): Promise<void> {
    const { name, uid, deletionTimestamp } = pod.metadata
    const known = this.#pods.get(uid)
    if (deletionTimestamp !== undefined) void known?.end()
    if (known !== undefined || deletionTimestamp !== undefined) return
    const body = { target: { kind: 'Node', name: node }, metadata: { name } }
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/binding`
    await this.#parts.api.call({ method: 'POST', path, body })
    const running = new RunningPod(this.#parts, pod)
    this.#pods.set(uid, running)
    running.run().catch((error: unknown) => process.stderr.write(`kubelet: ${error}\n`))
  }
}
