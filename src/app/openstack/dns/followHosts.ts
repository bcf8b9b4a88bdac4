// Which hosts does a DNS server know? Those of the ConfigMaps in its namespace that have its label,
// from the moment that they have it.
import { hostsLabel } from '../../../core/model/names/dnsLabels.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import { type WatchStep, watch } from '../../../edge/kube/api/watch.ts'
import { decodeHostsMap } from '../../../edge/kube/decode/decodeDns.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { HostsFolder } from './hostsFolder.ts'

type Following = {
  readonly api: Api
  readonly clock: Clock
  readonly random: () => number
  readonly namespace: string
  /** The value of the label. */
  readonly label: string
  readonly folder: string
  readonly signal: AbortSignal
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** Every host is written, for the first time or again. */
  readonly complete: () => void
  /** How to make dnsmasq read all hosts again; undefined where it cannot be told. */
  readonly reload: () => (() => void) | undefined
}

/** Until the signal aborts. While the API does not answer, what is known stays. */
export async function followHosts(following: Following): Promise<void> {
  const { api, clock, random, namespace, label, signal, log, complete } = following
  const folder = new HostsFolder(following.folder)
  const writing = new Writing(folder, following)
  const selector = { labelSelector: `${hostsLabel}=${label}` }
  const resource = { ...resourceOf('ConfigMap', namespace), selector }
  let listed = new Set<string>()
  let isComplete = false
  for await (const step of watch(api, resource, { signal, clock, random })) {
    if (step.type === 'fault') log({ level: 'warn', message: step.fault.message })
    else if (step.type === 'init') listed = new Set()
    else if (step.type === 'init-done') {
      folder.keepOnly(listed)
      isComplete = true
      writing.all()
      complete()
    } else {
      listed.add(take(folder, step))
      // Lines of several ConfigMaps share a file: none is written before all are known.
      if (isComplete) writing.begin()
    }
  }
}

type Step = Extract<WatchStep, { json: unknown }>

function take(folder: HostsFolder, step: Step): string {
  const map = decodeHostsMap(new Fields(step.json, []))
  if (step.type === 'delete') folder.remove(map.name)
  else folder.put(map)
  return map.name
}

/** What comes with the first of many hosts; and after a fault. */
const [gatherMs, againMs] = [300, 5_000]
/** As long as dnsmasq may take to read so many lines, and as long again to answer. */
const restMs = (lines: number): number => 1_000 + lines / 20

class Writing {
  readonly #folder: HostsFolder
  readonly #parts: Following
  #isHeld = false

  constructor(folder: HostsFolder, parts: Following) {
    this.#folder = folder
    this.#parts = parts
  }

  /** Few are written at once, many together. */
  begin(): void {
    if (this.#isHeld) return
    if (!this.#folder.isMuch) this.#folder.write()
    else void this.#together()
  }

  /** Before we report that all are present. */
  all(): void {
    if (this.#folder.isMuch) this.#write()
    else this.#folder.write()
  }

  async #together(): Promise<void> {
    const { clock, signal, log, namespace } = this.#parts
    this.#isHeld = true
    await clock.sleep(gatherMs, signal)
    try {
      // While it reads them, nothing is written beneath it.
      if (this.#write()) await clock.sleep(restMs(this.#folder.lines), signal)
    } catch (error) {
      log({ level: 'warn', object: `hosts of ${namespace}`, message: String(error) })
      await clock.sleep(againMs, signal)
    }
    this.#isHeld = false
    if (!signal.aborted) this.begin()
  }

  /** Answers whether dnsmasq was told to read all. */
  #write(): boolean {
    const reload = this.#parts.reload()
    if (reload === undefined) this.#folder.write()
    else this.#folder.writeUnseen()
    reload?.()
    return reload !== undefined
  }
}
