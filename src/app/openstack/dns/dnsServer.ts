// How does one DNSMasq answer on a single machine? With a dnsmasq of its own: hosts and servers
// change while it runs, other options are tried first and cost a restart (R13.4).
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DnsMasq } from '../../../core/model/names/dns.ts'
import { dividedOptions, optionLines, toldOfOption } from '../../../core/policy/names/dnsOptions.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import { type DnsPlace, DnsProcess, notInstalled, testOptions } from './dnsProcess.ts'
import { followHosts } from './followHosts.ts'

type ServerParts = {
  readonly api: Api
  readonly clock: Clock
  readonly random: () => number
  readonly namespace: string
  readonly place: DnsPlace
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly changed: () => void
}

const againMs = 5_000

export class DnsServer {
  readonly #parts: ServerParts
  readonly #process: DnsProcess
  #options = ''
  #unread = ''
  #badOptions = ''
  #hosts: { readonly label: string; readonly stop: AbortController } | undefined
  #following: Promise<void> = Promise.resolve()

  constructor(parts: ServerParts) {
    this.#parts = parts
    this.#process = new DnsProcess(parts)
    mkdirSync(join(parts.place.folder, 'hosts'), { recursive: true, mode: 0o755 })
  }

  get place(): DnsPlace {
    return this.#parts.place
  }

  get namespace(): string {
    return this.#parts.namespace
  }

  get isReady(): boolean {
    return this.#process.isReady
  }

  /** What has to be mended; empty if nothing has. */
  get trouble(): string {
    return this.#unread || this.#badOptions || this.#process.trouble
  }

  /** Called for every change of the DNSMasq. */
  async configure(server: DnsMasq): Promise<void> {
    const [unread] = server.unread
    const text = JSON.stringify(server.options)
    this.#unread = unread === undefined ? '' : `${unread.path}: ${unread.message}`
    if (unread === undefined && text !== this.#options) await this.#take(server, text)
    this.#follow(server)
  }

  async stop(): Promise<void> {
    this.#hosts?.stop.abort()
    await Promise.all([this.#process.stop(), this.#following])
  }

  async #take({ options }: DnsMasq, text: string): Promise<void> {
    const { folder } = this.#parts.place
    const all = optionLines(options)
    const { servers, others } = dividedOptions(all)
    const { isGood, said, untried } = await testOptions(write(join(folder, 'test.cfg'), all))
    const isMissing = untried === notInstalled
    // Without the program there is nothing to check with: its process reports that and retries.
    const told = untried ?? toldOfOption(options, { said, tested: all })
    this.#badOptions = isGood || isMissing ? '' : told
    // Bad ones too are tried once, and not at every change of something else.
    if (untried === undefined) this.#options = text
    if (!isGood && !isMissing) return
    const [config, list] = [join(folder, 'config.cfg'), join(folder, 'servers.cfg')]
    const isSame = read(config) === others
    const areSame = read(list) === servers
    if (!isSame) write(config, others)
    if (!areSame) write(list, servers)
    if (this.#hosts !== undefined && !isSame) this.#process.restart()
    else if (!areSame) this.#process.reload()
  }

  /** dnsmasq starts when all of its hosts are there: until then it would deny them. */
  #follow({ namespace, selects }: DnsMasq): void {
    const label = selects.toLowerCase()
    if (this.#hosts?.label === label) return
    this.#hosts?.stop.abort()
    const stop = new AbortController()
    this.#hosts = { label, stop }
    const { place } = this.#parts
    this.#following = this.#keepFollowing({
      ...this.#parts,
      namespace,
      label,
      folder: join(place.folder, 'hosts'),
      signal: stop.signal,
      complete: () => this.#process.start(),
      reload: () => (this.#process.isReady ? () => this.#process.reload() : undefined),
    })
  }

  /** What cannot be written, as on a full disk, is tried again, and ends nothing else. */
  async #keepFollowing(following: Parameters<typeof followHosts>[0]): Promise<void> {
    const { clock, log, signal, namespace } = following
    while (!signal.aborted) {
      try {
        await followHosts(following)
      } catch (error) {
        log({ level: 'warn', object: `hosts of ${namespace}`, message: String(error) })
        await clock.sleep(againMs, signal)
      }
    }
  }
}

const read = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined

function write(file: string, text: string): string {
  writeFileSync(`${file}.new`, text, { mode: 0o644 })
  renameSync(`${file}.new`, file)
  return file
}
