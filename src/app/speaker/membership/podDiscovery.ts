// Which nodes run a speaker, and where? Those with a pod of ours, as the API told last.

import type { Labels } from '../../../core/model/selector.ts'
import { familyOf, type Ip, parseIp } from '../../../core/net/ip.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import { type WatchStep, watch } from '../../../edge/kube/api/watch.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import type { Discovered, Discovery } from './discovery.ts'

type PodParts = {
  readonly api: Api
  readonly clock: Clock
  readonly random: () => number
  readonly namespace: string
  /** Our own. */
  readonly node: string
  /** All of which a speaker's pod carries. */
  readonly labels: Labels
  readonly port: number
  /** Of the addresses of a pod, those of this family are spoken to. */
  readonly family: 'IPv4' | 'IPv6'
}

export const podDiscovery =
  (parts: PodParts): Discovery =>
  async (found, signal) => {
    const { api, clock, random, namespace } = parts
    const selector = { labelSelector: selectorOf(parts) }
    const pods = { ...resourceOf('Pod', namespace), selector }
    const book = new PodBook(parts)
    let told = ''
    const tell = () => {
      const next = book.found
      const text = JSON.stringify(next)
      if (next === undefined || text === told || signal.aborted) return
      told = text
      found(next)
    }
    for await (const step of watch(api, pods, { signal, clock, random })) {
      if (!book.take(step)) continue
      tell()
      if (!book.hasOwn) void clock.sleep(ownMs + 1, signal).then(tell)
      if (book.hasGone) void clock.sleep(keptMs + 1, signal).then(tell)
    }
  }

/**
 * A pod that is replaced is gone for a moment, its node is not: counted without it, the others
 * could be a majority of too few (R8.3).
 */
const keptMs = 30_000
/** Our own pod runs, so that it is listed: soon, or never when it is not what we look for. */
const ownMs = 20_000

const selectorOf = ({ labels }: PodParts): string =>
  Object.entries(labels)
    .map((label) => label.join('='))
    .join(',')

type Pod = { readonly node: string; readonly ips: readonly Ip[] }

class PodBook {
  readonly #parts: PodParts
  #pods = new Map<string, Pod>()
  #listing = new Map<string, Pod>()
  readonly #gone = new Map<string, number>()
  readonly #begunMs: number
  #hasOwn = false

  constructor(parts: PodParts) {
    this.#parts = parts
    this.#begunMs = parts.clock.nowMs()
  }

  /** Whether our own pod has been among them: else there may be others that we do not see. */
  get hasOwn(): boolean {
    return this.#hasOwn
  }

  get hasGone(): boolean {
    return this.#gone.size > 0
  }

  get found(): Discovered | undefined {
    const now = this.#parts.clock.nowMs()
    if (!this.#hasOwn && now < this.#begunMs + ownMs) return undefined
    for (const [node, until] of this.#gone) if (until <= now) this.#gone.delete(node)
    const pods = [...this.#pods.values()]
    const nodes = new Set([...pods.map(({ node }) => node), ...this.#gone.keys()])
    const { port } = this.#parts
    const addresses = new Set(pods.flatMap(({ ips }) => ips))
    const seeds = [...addresses].sort().map((address) => ({ address, port }))
    const places = pods.map(({ node, ips }) => ({ node, addresses: ips }))
    const found = { seeds, expected: [...nodes].sort(), places }
    return this.#hasOwn ? found : { ...found, problem: this.#withoutOwn() }
  }

  /** Whether the answer may be another one now. */
  take(step: WatchStep): boolean {
    if (step.type === 'fault') return false
    if (step.type === 'init') this.#listing = new Map()
    else if (step.type === 'init-apply') this.#note(step.json, this.#listing)
    else if (step.type === 'init-done') this.#swap(this.#listing)
    else {
      const pods = new Map(this.#pods)
      if (step.type === 'apply') this.#note(step.json, pods)
      else pods.delete(metaOf(new Fields(step.json, [])).name)
      this.#swap(pods)
    }
    return step.type !== 'init' && step.type !== 'init-apply'
  }

  #swap(pods: Map<string, Pod>): void {
    const until = this.#parts.clock.nowMs() + keptMs
    for (const { node } of this.#pods.values()) this.#gone.set(node, until)
    for (const { node } of pods.values()) this.#gone.delete(node)
    this.#pods = pods
    const { node } = this.#parts
    this.#hasOwn ||= [...pods.values()].some((pod) => pod.node === node)
  }

  #withoutOwn(): string {
    const { namespace, node } = this.#parts
    const none = `namespace ${namespace} has no Pod ${selectorOf(this.#parts)} on node ${node}`
    const remedy = 'label the pods so, or name the speakers with --members'
    return `${none}: the other speakers cannot be found, nothing is announced; ${remedy}`
  }

  #note(json: unknown, pods: Map<string, Pod>): void {
    const object = new Fields(json, [])
    const { name } = metaOf(object)
    const [node, status] = [object.inner('spec').text('nodeName'), object.inner('status')]
    const isOver = ['Succeeded', 'Failed'].includes(status.text('phase'))
    if (!isOver && node !== '') pods.set(name, { node, ips: this.#ipsOf(status) })
    else pods.delete(name)
  }

  #ipsOf(status: Fields): Ip[] {
    const texts = [status.text('podIP'), ...status.each('podIPs').map((one) => one.text('ip'))]
    const ips = new Set(
      texts.flatMap((text) => {
        const ip = parseIp(text)
        return ip.ok && familyOf(ip.value) === this.#parts.family ? ip.value : []
      }),
    )
    return [...ips]
  }
}
