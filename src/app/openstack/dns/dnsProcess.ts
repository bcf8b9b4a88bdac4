// How does dnsmasq run as our child? On one port, started again when it ends, after a longer pause
// each time that it ends early.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { backoffMs } from '../../../edge/kube/api/backoff.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'

export type DnsPlace = {
  readonly folder: string
  readonly address: string
  readonly port: number
}
type ProcessParts = {
  readonly place: DnsPlace
  readonly clock: Clock
  readonly random: () => number
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** Whether it answers, and if not why. */
  readonly changed: () => void
}

const program = 'dnsmasq'
export const notInstalled =
  'dnsmasq is not installed: install it (apt-get install dnsmasq-base, or dnf install dnsmasq)'
/** Running for so long counts as a success. */
const calmMs = 10_000

export class DnsProcess {
  readonly #parts: ProcessParts
  readonly #stop = new AbortController()
  #child: ChildProcess | undefined
  #isReady = false
  #trouble = ''
  #running: Promise<void> | undefined

  constructor(parts: ProcessParts) {
    this.#parts = parts
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Why it does not run; empty while it does. */
  get trouble(): string {
    return this.#trouble
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** It reads the file of servers again, and all hosts. */
  reload(): void {
    this.#child?.kill('SIGHUP')
  }

  /** With other options; the next begins as soon as this one has let go of the port. */
  restart(): void {
    this.#child?.kill('SIGTERM')
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    // It keeps nothing, and one that is busy with many hosts would hear SIGTERM only afterwards.
    this.#child?.kill('SIGKILL')
    await this.#running
  }

  async #run(): Promise<void> {
    const { clock, random, log } = this.#parts
    const { signal } = this.#stop
    for (let failures = 0; !signal.aborted; ) {
      const sinceMs = clock.nowMs()
      const ended = await this.#once()
      this.#set(false, ended)
      if (signal.aborted) return
      failures = ended === '' || clock.nowMs() - sinceMs > calmMs ? 0 : failures + 1
      if (ended !== '') log({ level: 'warn', object: program, message: ended })
      if (failures > 0) await clock.sleep(backoffMs(failures, random), signal)
    }
  }

  /** Answers why it ended; nothing if we asked for it. */
  async #once(): Promise<string> {
    const { folder } = this.#parts.place
    const child = spawn(program, argumentsFor(this.#parts.place), {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    child.on('error', () => undefined)
    let last = ''
    createInterface({ input: child.stderr }).on('line', (line) => {
      last = line
      if (line.includes(': started, version')) this.#set(true, '')
    })
    try {
      await once(child, 'spawn')
      const pidFile = join(folder, 'pid')
      writeFileSync(pidFile, `${child.pid}\n`)
      const [code, signal] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
      rmSync(pidFile, { force: true })
      if (signal === 'SIGTERM' || code === 0) return ''
      return signal ? `it was ended by ${signal}` : last || `it ended with status ${code}`
    } catch (error) {
      return toldOfStart(error)
    }
  }

  #set(isReady: boolean, trouble: string): void {
    if (this.#isReady === isReady && this.#trouble === trouble) return
    this.#isReady = isReady
    this.#trouble = trouble
    this.#parts.changed()
  }
}

/** As in a pod, but for the port and where the files are. */
const argumentsFor = ({ folder, address, port }: DnsPlace): readonly string[] => [
  `--conf-file=${join(folder, 'config.cfg')}`,
  `--servers-file=${join(folder, 'servers.cfg')}`,
  `--hostsdir=${join(folder, 'hosts')}`,
  '--keep-in-foreground',
  '--log-facility=-',
  '--bind-interfaces',
  `--listen-address=${address}`,
  `--port=${port}`,
  '--pid-file=',
  '--no-hosts',
  '--no-resolv',
  '--domain-needed',
  '--bogus-priv',
  // Only root can, and has to.
  ...(process.getuid?.() === 0 ? ['--user=nobody'] : []),
]

/** Options come from whoever may write a DNSMasq. */
const [testMs, mostSaid] = [10_000, 10_000]

type Tested = {
  readonly isGood: boolean
  readonly said: string
  /** Why nothing is known of them. */
  readonly untried?: string
}

function toldOfStart(error: unknown): string {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  return isMissing ? notInstalled : String(error)
}

/** Whether dnsmasq would start with these options. */
export async function testOptions(file: string): Promise<Tested> {
  const child = spawn(program, ['--test', `--conf-file=${file}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: testMs,
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(0, mostSaid)
  })
  try {
    const [status] = await once(child, 'close')
    if (typeof status === 'number') return { isGood: status === 0, said }
    return { isGood: false, said: '', untried: `dnsmasq --test did not end in ${testMs} ms` }
  } catch (error) {
    return { isGood: false, said: '', untried: toldOfStart(error) }
  }
}
