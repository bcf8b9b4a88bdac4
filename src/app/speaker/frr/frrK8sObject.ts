// How does frr-k8s get this node's configuration? From the FRRConfiguration that MetalLB would
// write: the one that is there is taken over, and it is never deleted.
import { parseIp } from '../../../core/net/ip.ts'
import {
  fitForFrrK8s,
  frrConfigurationName,
  frrConfigurationSpec,
  hostnameLabel,
} from '../../../core/policy/frr/frrConfiguration.ts'
import {
  type Fitting,
  type FrrPeer,
  frrRouters,
  type Misfit,
} from '../../../core/policy/frr/frrRouters.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf, type Resource } from '../../../edge/kube/api/resource.ts'
import { Fields, isRecord } from '../../../edge/kube/decode/fields.ts'
import { resourceOf, typeOf } from '../../../edge/kube/kinds.ts'
import { untilInTime } from '../../../edge/kube/write/race.ts'
import type { PeerKeys } from '../bgp/peerKeys.ts'
import type { FrrAsked, FrrOutput } from './frrOutput.ts'
import { withPasswords } from './frrPasswords.ts'
import type { FrrSaid, FrrShown } from './frrShown.ts'

type ObjectParts = {
  readonly api: Api
  readonly keys: Pick<PeerKeys, 'keyOf' | 'keep'>
  /** Of frr-k8s. */
  readonly namespace: string
  readonly nowMs: () => number
}

/** How often we look whether the object still is as we wrote it, and how frr-k8s fares. */
const lookMs = 30_000
const soonMs = 5_000
/** How often its sessions are read. */
const askMs = 15_000

export class FrrK8sObject implements FrrOutput {
  readonly #parts: ObjectParts
  readonly #resource: Resource
  #written = ''
  #version = ''
  #nextLookMs = 0
  #trouble = ''
  #unread: readonly Misfit[] = []
  #said: FrrSaid | undefined
  #nextAskMs = 0
  #prefixes: ReadonlySet<string> = new Set()
  /** Withdrawn since FRR was last seen to have all that was written. */
  readonly #withdrawn = new Set<string>()

  constructor(parts: ObjectParts) {
    this.#parts = parts
    this.#resource = resourceOf('FRRConfiguration', parts.namespace)
  }

  fit(peers: readonly FrrPeer[]): Fitting {
    const { fitting, misfits } = fitForFrrK8s(peers)
    const { routers, misfits: more } = frrRouters(fitting)
    return { routers, misfits: [...misfits, ...more, ...this.#unread] }
  }

  async write({ node, peers, profiles }: FrrAsked): Promise<string> {
    const { keys, namespace, nowMs } = this.#parts
    const { fitting } = fitForFrrK8s(peers)
    // What is in a Secret stays there: frr-k8s reads it itself.
    const found = await withPasswords(fitting, keys, ({ hasPassword }) => hasPassword)
    this.#unread = found.misfits
    const hostname = node.labels[hostnameLabel]
    if (hostname === undefined || hostname === '') {
      throw new Fault(
        `Node ${node.name} has no label ${hostnameLabel}, by which frr-k8s selects it`,
      )
    }
    const { routers } = frrRouters(found.peers)
    const { passwords } = found
    const spec = frrConfigurationSpec({ routers, profiles, passwords, namespace, hostname })
    const text = JSON.stringify(spec)
    const isNew = text !== this.#written
    if (!isNew && nowMs() < this.#nextLookMs) return this.#trouble
    await untilInTime(() => this.#put(node.name, spec, isNew))
    this.#written = text
    const routes = routers.flatMap(({ neighbours }) => neighbours.flatMap((one) => one.routes))
    this.#remember(new Set(routes.map(({ prefix }) => prefix)))
    this.#trouble = await this.#troubleOn(node.name)
    this.#nextLookMs = nowMs() + (isNew || this.#trouble !== '' ? soonMs : lookMs)
    return this.#trouble
  }

  #remember(prefixes: ReadonlySet<string>): void {
    for (const prefix of this.#prefixes) this.#withdrawn.add(prefix)
    for (const prefix of prefixes) this.#withdrawn.delete(prefix)
    this.#prefixes = prefixes
  }

  /** By the configuration that FRR shows; an older frr-k8s does not report it. */
  async hasTaken(node: string): Promise<boolean> {
    const running = (await this.#stateOf(node))?.['runningConfig']
    if (typeof running !== 'string' || running === '') return true
    const shown = new Set(running.match(/(?<=^ *network )\S+/gm))
    const has = (prefix: string) => shown.has(prefix)
    if (![...this.#prefixes].every(has) || [...this.#withdrawn].some(has)) return false
    this.#withdrawn.clear()
    return true
  }

  async #put(node: string, spec: object, isNew: boolean): Promise<void> {
    const { api, namespace } = this.#parts
    const name = frrConfigurationName(node)
    const path = pathOf(this.#resource, name)
    const found = await ifThere(api.call({ method: 'GET', path }))
    if (found === undefined) {
      const body = { ...typeOf('FRRConfiguration'), metadata: { name, namespace }, spec }
      const made = await api.call({ method: 'POST', path: pathOf(this.#resource), body })
      this.#version = versionOf(made)
      return
    }
    if (!isNew && versionOf(found) === this.#version) return
    const body = { ...(isRecord(found) ? found : {}), spec }
    this.#version = versionOf(await api.call({ method: 'PUT', path, body }))
  }

  /** frr-k8s tells the states, and keeps the figures for its own metrics. */
  async said(node: string): Promise<FrrSaid | undefined> {
    const { api, namespace, nowMs } = this.#parts
    if (nowMs() < this.#nextAskMs) return this.#said
    this.#nextAskMs = nowMs() + askMs
    const path = pathOf(resourceOf('BGPSessionState', namespace))
    const query = { labelSelector: `frrk8s.metallb.io/node=${node}` }
    const found = await ifThere(api.call({ method: 'GET', path, query }))
    const items = found === undefined ? [] : new Fields(found, []).each('items')
    const neighbours = items.map((item) => shownIn(item.inner('status')))
    // An older frr-k8s never says anything; one that has is heard when it no longer does.
    if (this.#said !== undefined || neighbours.length > 0) this.#said = { neighbours, bfd: [] }
    return this.#said
  }

  async #stateOf(node: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const path = pathOf(resourceOf('FRRNodeState'), node)
    const found = await ifThere(this.#parts.api.call({ method: 'GET', path }))
    if (found === undefined) return undefined
    return isRecord(found) && isRecord(found['status']) ? found['status'] : {}
  }

  /** In the words of frr-k8s, which reports for each node. */
  async #troubleOn(node: string): Promise<string> {
    const status = await this.#stateOf(node)
    if (status === undefined) {
      return `frr-k8s reports nothing about node ${node}: is it running there?`
    }
    const said = ['lastConversionResult', 'lastReloadResult'].map((name) => status[name])
    const bad = said.find((text) => typeof text === 'string' && text !== '' && text !== 'success')
    return bad === undefined ? '' : `frr-k8s: ${String(bad).slice(0, 500)}`
  }
}

/** It writes an address of IPv6 as we name its Address. */
function shownIn(status: Fields): FrrShown {
  const peer = status.text('peer')
  const spelled = parseIp(peer.replaceAll('-', ':'))
  return {
    vrf: status.text('vrf'),
    where: spelled.ok ? spelled.value : peer,
    state: status.text('bgpStatus'),
    bfd: status.text('bfdStatus') || 'N/A',
  }
}

function versionOf(object: unknown): string {
  const metadata = isRecord(object) ? object['metadata'] : undefined
  const version = isRecord(metadata) ? metadata['resourceVersion'] : undefined
  return typeof version === 'string' ? version : ''
}
