// How does a node report its BGP sessions? In one BGPSession for each peer, owned by the Node, and
// written a few times however often a session flaps.
import { createHash } from 'node:crypto'
import type { BgpSessionStatus } from '../../../../core/model/bgpSession.ts'
import type { Api } from '../../../../edge/kube/api/client.ts'
import { listPages } from '../../../../edge/kube/api/listPages.ts'
import { ifThere } from '../../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../../edge/kube/api/resource.ts'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { ofNode, statusLabels } from '../../../../edge/kube/decode/decodeServiceStatus.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { resourceOf, typeOf } from '../../../../edge/kube/kinds.ts'
import { SessionPace } from './sessionPace.ts'

type ReportParts = {
  readonly api: Api
  readonly node: string
  /** The UID of the Node that owns them; undefined until known, empty if there is no Node. */
  readonly nodeUid: () => string | undefined
  readonly sessions: () => readonly BgpSessionStatus[]
  readonly nowMs: () => number
  readonly signal: AbortSignal
}

const sessions = resourceOf('BGPSession')
/** Number of rounds after which we look which of ours are there. */
const lookEvery = 300
/** Creates or updates, and removes what is no longer said. */
const apply = { fieldManager: 'berth-speaker', force: 'true' }
const applyPatch = 'application/apply-patch+yaml'

export class SessionReport {
  readonly #parts: ReportParts
  readonly #paces = new Map<string, SessionPace>()
  /** Those of ours that are there; undefined until they have been read. */
  #there: Set<string> | undefined
  #rounds = 0

  constructor(parts: ReportParts) {
    this.#parts = parts
  }

  /** Throws if something could not be written; the next round tries again. */
  async round(): Promise<void> {
    const { node, nodeUid, sessions: read, nowMs } = this.#parts
    const uid = nodeUid()
    if (uid === undefined) return
    if (this.#rounds++ % lookEvery === 0) this.#there = undefined
    this.#there ??= await this.#ours()
    const there = this.#there
    for (const name of this.#paces.keys()) if (!there.has(name)) this.#paces.delete(name)
    const wanted = new Map(read().map((status) => [sessionName(node, status.peer), status]))
    for (const [name, status] of wanted) {
      const pace = this.#paces.get(name) ?? new SessionPace()
      if (!pace.isDue(status, nowMs())) continue
      await this.#write(name, status, uid)
      there.add(name)
      this.#paces.set(name, pace)
      pace.wrote(status, nowMs())
    }
    for (const name of there) if (!wanted.has(name)) await this.#delete(name)
  }

  /** Without a speaker there is no session. */
  async end(): Promise<void> {
    const { api, node } = this.#parts
    await api.call({ method: 'DELETE', path: pathOf(sessions), query: ofNode(node) })
  }

  async #ours(): Promise<Set<string>> {
    const { api, node, signal } = this.#parts
    const names = new Set<string>()
    const resource = { ...sessions, selector: ofNode(node) }
    for await (const { items } of listPages(api, resource, signal)) {
      for (const item of items) names.add(metaOf(new Fields(item, [])).name)
    }
    return names
  }

  async #write(name: string, status: BgpSessionStatus, uid: string): Promise<void> {
    const { api, node } = this.#parts
    const owner = { ...typeOf('Node'), name: node, uid }
    const metadata = {
      name,
      labels: { [statusLabels.node]: node },
      ...(uid === '' ? {} : { ownerReferences: [owner] }),
    }
    const body = { ...typeOf('BGPSession'), metadata, status }
    const path = pathOf(sessions, name)
    await api.call({ method: 'PATCH', path, query: apply, contentType: applyPatch, body })
  }

  async #delete(name: string): Promise<void> {
    await ifThere(this.#parts.api.call({ method: 'DELETE', path: pathOf(sessions, name) }))
    this.#there?.delete(name)
  }
}

/** Readable, and different for any two pairs: both names may contain dashes and dots. */
function sessionName(node: string, peer: string): string {
  const digest = createHash('sha256').update(`${node}/${peer}`).digest('hex').slice(0, 8)
  const readable = `${node}-${peer}`.slice(0, 240).replace(/[^a-z0-9]+$/, '')
  return `${readable}-${digest}`
}
