// What does an operator see of this node? Interfaces and problems, in its NodeInterfaces (R8.5),
// written when they change.

import type { JsonObject } from '../../../core/model/gate.ts'
import { recordAt } from '../../../core/model/json.ts'
import type { Problem, ProblemCode } from '../../../core/model/problem.ts'
import type { HostRoute } from '../../../edge/host/hostRoutes.ts'
import type { HostLink } from '../../../edge/host/packet/hostLink.ts'
import { backoffMs } from '../../../edge/kube/api/backoff.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import { ApiError, faultFrom } from '../../../edge/kube/api/fault.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { resourceOf, typeOf } from '../../../edge/kube/kinds.ts'

export type NodeProblem = Pick<Problem, 'object' | 'message'> & { readonly code: ProblemCode }

type ReportParts = {
  readonly api: Api
  readonly node: string
  /** The UID of the Node that owns the report; undefined until known, empty if there is no Node. */
  readonly nodeUid: () => string | undefined
  /** Undefined until they have been read. */
  readonly links: () => readonly HostLink[] | undefined
  readonly problems: () => Promise<readonly NodeProblem[]>
  /** To where the Site asks for one; undefined until that is known. */
  readonly routes: () => readonly HostRoute[] | 'none asked' | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

const reports = resourceOf('NodeInterfaces')
/** Addresses and problems often change together, so one write covers both. */
const roundMs = 2_000
/** Number of rounds after which we check that the report still exists. */
const lookEvery = 150

export class NodeReport {
  readonly #parts: ReportParts
  readonly #path: string
  #written = ''
  #rounds = 0
  #isThere: boolean | undefined
  #hasRoutes = false
  #wasThere: boolean | undefined

  constructor(parts: ReportParts) {
    this.#parts = parts
    this.#path = pathOf(reports, parts.node)
  }

  /** Whether a speaker ran here before; undefined until known. */
  get wasThere(): boolean | undefined {
    return this.#wasThere
  }

  /** The one place that handles a failed write. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#parts
    for (let failures = 0; !signal.aborted; ) {
      try {
        await this.#round()
        failures = 0
      } catch (error) {
        const { message } = faultFrom(error, 'NodeInterfaces')
        if (failures === 0) log({ level: 'warn', object: 'NodeInterfaces', message })
        this.#isThere = undefined
        // If the kind is not served, no earlier speaker can have written a report.
        if (error instanceof ApiError) this.#wasThere ??= false
        await clock.sleep(backoffMs(failures++, random), signal)
      }
      await clock.sleep(this.#isThere === undefined ? 50 : roundMs, signal)
    }
  }

  async #round(): Promise<void> {
    const { api, links, nodeUid } = this.#parts
    if (this.#isThere === undefined || ++this.#rounds % lookEvery === 0) {
      const there = await ifThere(api.call({ method: 'GET', path: this.#path }))
      this.#isThere = there !== undefined
      this.#hasRoutes = 'routes' in recordAt(recordAt({ there }, 'there'), 'spec')
      this.#wasThere ??= this.#isThere
      if (!this.#isThere) this.#written = ''
    }
    const [all, uid] = [links(), nodeUid()]
    if (all === undefined || uid === undefined) return
    const routes = this.#parts.routes()
    const listed = routes === 'none asked' ? undefined : routes
    const body = await this.#bodyOf(all, uid, listed)
    const text = JSON.stringify(body)
    // What a patch does not name stays, as it does until the Site is known.
    const isOver = routes === 'none asked' && this.#hasRoutes
    if (text === this.#written && !isOver) return
    if (this.#isThere) {
      const contentType = 'application/merge-patch+json'
      const patch = isOver ? { ...body, spec: { ...body.spec, routes: null } } : body
      await api.call({ method: 'PATCH', path: this.#path, contentType, body: patch })
    } else await api.call({ method: 'POST', path: pathOf(reports), body })
    this.#isThere = true
    this.#written = text
    this.#hasRoutes = listed !== undefined || (this.#hasRoutes && !isOver)
  }

  async #bodyOf(
    links: readonly HostLink[],
    uid: string,
    routes: readonly HostRoute[] | undefined,
  ): Promise<JsonObject & { readonly spec: object }> {
    const { node, problems } = this.#parts
    const owner = { ...typeOf('Node'), name: node, uid }
    const metadata = { name: node, ...(uid === '' ? {} : { ownerReferences: [owner] }) }
    const sorted = [...links].sort((one, other) => (one.name < other.name ? -1 : 1))
    const names = sorted.map(({ name }) => name).join(', ')
    const told = { names, interfaces: sorted.map(shown), problems: await problems() }
    const spec = { ...told, ...(routes && { routes }) }
    return { ...typeOf('NodeInterfaces'), metadata, spec }
  }
}

function shown({ name, mac, isUp, hasCarrier, type, addresses }: HostLink): object {
  const temporary = addresses.filter(({ isTemporary }) => isTemporary === true)
  return {
    name,
    mac,
    carrier: isUp && hasCarrier,
    ...(type === undefined ? {} : { type }),
    addresses: texts(addresses),
    ...(temporary.length === 0 ? {} : { temporary: texts(temporary) }),
  }
}

const texts = (addresses: HostLink['addresses']): readonly string[] =>
  addresses.map(({ address, prefixLength }) => `${address}/${prefixLength}`).sort()
