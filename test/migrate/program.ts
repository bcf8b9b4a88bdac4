// The program of one container: started in a network namespace, probed, reported, ended; started again
// whenever it ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

type Probe = {
  readonly httpGet?: {
    readonly host?: string
    readonly path: string
    readonly port: number | string
    readonly scheme?: string
  }
  readonly initialDelaySeconds?: number
  readonly periodSeconds?: number
}
export type Container = {
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
export const say = (text: string): void =>
  void process.stdout.write(`${new Date().toISOString()} ${text}\n`)

export const command = (words: readonly string[]): Promise<number> =>
  new Promise((done) => {
    const [program = '', ...args] = words
    spawn(program, args, { stdio: 'ignore' })
      .on('exit', (code) => done(code ?? 1))
      .on('error', () => done(1))
  })

const curl = ['curl', '-sfk', '--noproxy', '*', '-m', '1']
export type Env = Readonly<Record<string, string>>
type StartOptions = {
  readonly namespace: string
  readonly folder: string
  /** A file. */
  readonly log: string
}

export class Program {
  readonly container: Container
  /** What is started for its image. */
  readonly #words: readonly string[]
  isReady = false
  #restarts = 0
  #child: ChildProcess | undefined
  #startedMs = 0
  #probedMs = 0

  constructor(container: Container, words: readonly string[]) {
    this.container = container
    this.#words = words
  }

  get isRunning(): boolean {
    return this.#child !== undefined
  }

  get hasBegun(): boolean {
    return this.isRunning || this.#restarts > 0
  }

  start(args: readonly string[], env: Env, { namespace, folder: cwd, log }: StartOptions): void {
    const file = openSync(log, 'a')
    const all = ['netns', 'exec', namespace, ...this.#words, ...args]
    this.#child = spawn('ip', all, { stdio: ['ignore', file, file], env, cwd })
    closeSync(file)
    this.#startedMs = performance.now()
    const who = `${log} ${this.container.name}`
    say(`${who}: started as ${this.#child.pid} in ${namespace}`)
    this.#child.on('exit', (code, signal) => {
      say(`${who}: ended with ${code ?? signal}`)
      this.#child = undefined
      this.isReady = false
      this.#restarts++
    })
  }

  async probe(namespace: string, ip: string): Promise<void> {
    const { readinessProbe: probe, ports = [] } = this.container
    if (this.#child === undefined) return
    const nowMs = performance.now()
    if (probe?.httpGet === undefined) {
      this.isReady = true
      return
    }
    const { initialDelaySeconds = 0, periodSeconds = 10 } = probe
    if (nowMs - this.#startedMs < initialDelaySeconds * 1_000) return
    if (nowMs - this.#probedMs < Math.min(periodSeconds, this.isReady ? 5 : 1) * 1_000) return
    this.#probedMs = nowMs
    const { host = ip, path, port, scheme = 'HTTP' } = probe.httpGet
    const number = ports.find(({ name }) => name === port)?.containerPort ?? port
    const url = `${scheme.toLowerCase()}://${host}:${number}${path}`
    this.isReady = (await command(['ip', 'netns', 'exec', namespace, ...curl, url])) === 0
  }

  status(): object {
    const { name, image } = this.container
    return {
      ...{ name, image, imageID: '', ready: this.isReady, restartCount: this.#restarts },
      state: this.isRunning ? { running: {} } : { waiting: { reason: 'ContainerCreating' } },
    }
  }

  async end(graceSeconds: number): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    const ended = new Promise<void>((done) => child.on('exit', () => done()))
    child.kill('SIGTERM')
    await Promise.race([ended, sleep(Math.max(graceSeconds, 2) * 1_000)])
    child.kill('SIGKILL')
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }
}
