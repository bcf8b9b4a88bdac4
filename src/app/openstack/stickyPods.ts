// How does a pod get the address that it keeps (R12.15)? An IPSet of its name is created, the
// leader reserves, and the pod gets what the API then shows. No two ever get the same address.
import type { Complete, Completion } from '../../core/model/completion.ts'
import type { JsonObject } from '../../core/model/gate.ts'
import type { IpSet } from '../../core/model/ipam/ipSet.ts'
import { isRecord, recordAt, textAt } from '../../core/model/json.ts'
import { managed } from '../../core/model/made.ts'
import type { World } from '../../core/model/world.ts'
import { networksAnnotation, selectionsIn } from '../../core/policy/ipam/networkSelections.ts'
import { type NewPod, stickyPod } from '../../core/policy/ipam/stickyPod.ts'
import { berth } from '../../edge/kube/annotations.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { ApiError, faultFrom } from '../../edge/kube/api/fault.ts'
import { isNotFound } from '../../edge/kube/api/notFound.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { resourceOf, rowOf, typeOf } from '../../edge/kube/kinds.ts'

type StickyParts = {
  readonly api: Api
  readonly world: World
  readonly clock: Clock
  /** False while another operator gives the addresses, or not everything is served. */
  readonly mayAsk: () => boolean
  /** False until every kind has been listed, and while one has gone. */
  readonly isIn: () => boolean
}

type Ask = Extract<ReturnType<typeof stickyPod>, { type: 'ask' }>

/** The API server waits five seconds. */
const patienceMs = 3_000
/** StatefulSets read at a time: callers of the webhook decide how often we read. */
const mostAsked = 8
/** Pods that wait for their turn, in order: those that are made up do not shut out others. */
const mostInLine = 100
/** No pod has more interfaces; a longer list is not looked at. */
const mostNetworks = 64
/** Per namespace. If more already wait for an address, new pods are refused and retried. */
const mostWaiting = 500

const untouched: Completion = { ok: true, annotations: {}, warnings: [] }

export class StickyPods {
  readonly #parts: StickyParts
  /** By pod: requests waiting for a change of its IPSet or Reservation. */
  readonly #waiting = new Map<string, Set<() => void>>()
  /** By namespace: how many wait. */
  readonly #counts = new Map<string, number>()
  #asked = 0
  /** Next in line to read a StatefulSet. */
  readonly #line: (() => void)[] = []

  constructor(parts: StickyParts) {
    this.#parts = parts
    parts.world.listen(({ type, kind, key }) => {
      if (type !== 'object' || (kind !== 'IPSet' && kind !== 'Reservation')) return
      for (const wake of this.#waiting.get(key) ?? []) wake()
    })
  }

  readonly complete: Complete = async ({ namespace, object, isDryRun, isVouchedFor }) => {
    const { world, clock, mayAsk, isIn } = this.#parts
    const pod = podIn(object, namespace)
    if (pod === undefined) return untouched
    if ('why' in pod) return { ...untouched, warnings: [pod.why] }
    if (!isIn()) return { ok: false, why: 'Berth has not read the cluster yet' }
    const untilMs = clock.nowMs() + patienceMs
    for (;;) {
      const answer = stickyPod(world, pod)
      if (answer.type === 'pass') return { ...untouched, warnings: answer.warnings }
      if (answer.type === 'networks') return withNetworks(answer.selections)
      if (!mayAsk()) return { ...untouched, warnings: [notOurs] }
      if (answer.type === 'refuse') return { ok: false, why: answer.why }
      if (isDryRun) return untouched
      const isAsking = answer.type === 'ask'
      const stranger = isAsking && !isVouchedFor ? await this.#stranger(pod, untilMs) : undefined
      if (stranger !== undefined) return { ok: false, why: stranger }
      const changed = this.#change(pod, untilMs)
      if (changed === undefined) return { ok: false, why: later }
      const refused = isAsking ? await this.#ask(pod, answer) : undefined
      if (refused !== undefined) return { ok: false, why: refused }
      await changed
      if (clock.nowMs() >= untilMs) return { ok: false, why: later }
    }
  }

  /** Why nothing is asked for: no StatefulSet has the pod, so anybody may have invented it. */
  async #stranger({ namespace, name, owner }: NewPod, untilMs: number) {
    const set = `StatefulSet ${namespace}/${owner?.name ?? ''}`
    const ordinal = owner === undefined ? undefined : ordinalOf(owner.name, name)
    if (owner === undefined || ordinal === undefined) return `it is not a pod of ${set}`
    if (!(await this.#isNext())) return later
    const path = pathOf(resourceOf('StatefulSet', namespace), owner.name)
    try {
      if (this.#parts.clock.nowMs() >= untilMs) return later
      const there = await this.#parts.api.call({ method: 'GET', path })
      const isIts = recordAt(there, 'metadata')['uid'] === owner.uid
      if (!isIts) return `${set} was deleted and created again`
      return hasOrdinal(there, ordinal) ? undefined : `${set} has no pod ${ordinal}`
    } catch (error) {
      return isNotFound(error) ? `${set} is not there` : faultFrom(error, set).message
    } finally {
      const next = this.#line.shift()
      if (next === undefined) this.#asked--
      else next()
    }
  }

  /** Answers false where too many are before it. */
  async #isNext(): Promise<boolean> {
    if (this.#asked < mostAsked) this.#asked++
    else if (this.#line.length >= mostInLine) return false
    else await new Promise<void>((resolve) => this.#line.push(resolve))
    return true
  }

  /** Undefined where too many wait. */
  #change({ namespace, name }: NewPod, untilMs: number): Promise<void> | undefined {
    const { clock } = this.#parts
    if ((this.#counts.get(namespace) ?? 0) >= mostWaiting) return undefined
    const key = `${namespace}/${name}`
    const line = this.#waiting.get(key) ?? new Set<() => void>()
    this.#waiting.set(key, line)
    const stop = new AbortController()
    const wake = (): void => stop.abort()
    line.add(wake)
    this.#count(namespace, 1)
    return clock.sleep(Math.max(0, untilMs - clock.nowMs()), stop.signal).then(() => {
      line.delete(wake)
      if (line.size === 0) this.#waiting.delete(key)
      this.#count(namespace, -1)
    })
  }

  #count(namespace: string, more: number): void {
    const count = (this.#counts.get(namespace) ?? 0) + more
    if (count === 0) this.#counts.delete(namespace)
    else this.#counts.set(namespace, count)
  }

  /** Answers why not, where the API refuses it; if it was changed meanwhile, that is told soon. */
  async #ask(pod: NewPod, { ipSet, before }: Ask): Promise<string | undefined> {
    const { api } = this.#parts
    const place = resourceOf('IPSet', pod.namespace)
    const spec = { networks: ipSet.networks }
    const metadata = metadataOf(pod, ipSet)
    try {
      if (before === undefined) {
        const body = { ...typeOf('IPSet'), metadata, spec }
        await api.call({ method: 'POST', path: pathOf(place), body })
      } else await api.call(change(before, { metadata, spec }))
      return undefined
    } catch (error) {
      if (error instanceof ApiError && [404, 409].includes(error.code)) return undefined
      return faultFrom(error, `IPSet ${pod.namespace}/${pod.name}`).message
    }
  }
}

/** Undefined where it is no pod of that StatefulSet. */
function ordinalOf(set: string, pod: string): number | undefined {
  const text = pod.startsWith(`${set}-`) ? pod.slice(set.length + 1) : ''
  return /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : undefined
}

/** Its controller makes no other pods, and requests for others would use up the addresses. */
function hasOrdinal(set: unknown, ordinal: number): boolean {
  const spec = recordAt(set, 'spec')
  const [{ replicas = 1 }, { start = 0 }] = [spec, recordAt(spec, 'ordinals')]
  return ordinal >= Number(start) && ordinal < Number(start) + Number(replicas)
}

const later = 'its address is not reserved yet; the StatefulSet will try again'
const notOurs = 'Berth does not reserve addresses now: the pod will not keep its address'

const change = (before: IpSet, { metadata, spec }: { metadata: JsonObject; spec: JsonObject }) => {
  const { namespace, name, uid, resourceVersion } = before
  const { ownerReferences } = metadata
  const body = { metadata: { uid, resourceVersion, ownerReferences }, spec }
  const contentType = 'application/merge-patch+json'
  const path = pathOf(resourceOf('IPSet', namespace), name)
  return { method: 'PATCH', path, contentType, body } as const
}

/** It goes with the StatefulSet, and without a right over that: it holds nothing up. */
function metadataOf({ name, namespace }: NewPod, { owner }: Ask['ipSet']): JsonObject {
  const annotations = { [berth.for]: 'pod' }
  const ownerReferences = [{ ...owner, kind: 'StatefulSet' }]
  return { name, namespace, labels: managed, annotations, ownerReferences }
}

const withNetworks = (selections: readonly JsonObject[]): Completion => ({
  ok: true,
  annotations: { [networksAnnotation]: JSON.stringify(selections) },
  warnings: [],
})

/** Undefined for one without attachments that lack an address, or of no StatefulSet. */
function podIn(object: JsonObject, namespace: string): NewPod | { why: string } | undefined {
  const metadata = recordAt(object, 'metadata')
  const owners = Array.isArray(metadata['ownerReferences']) ? metadata['ownerReferences'] : []
  const owner = owners.filter(isRecord).find(isStatefulSet)
  const text = textAt(metadata['annotations'], networksAnnotation)
  const name = textAt(metadata, 'name')
  if (owner === undefined || text === '' || name === '') return undefined
  const selections = selectionsIn(text, parsed)
  if (selections === undefined) return { why: `${networksAnnotation} cannot be read` }
  const { length } = selections
  if (length > mostNetworks) {
    const why = `${length} entries: more than ${mostNetworks} are not read`
    return { why: `${networksAnnotation} has ${why}` }
  }
  if (selections.every((selection) => selection['ips'] !== undefined)) return undefined
  const [apiVersion, uid] = [textAt(owner, 'apiVersion'), textAt(owner, 'uid')]
  return { namespace, name, selections, owner: { apiVersion, name: textAt(owner, 'name'), uid } }
}

function isStatefulSet(owner: JsonObject): boolean {
  const { group, kind } = rowOf('StatefulSet')
  const isOfApps = textAt(owner, 'apiVersion').startsWith(`${group}/`)
  return isOfApps && textAt(owner, 'kind') === kind && owner['controller'] === true
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
