// How does what is decided reach the API? Compared with the object as it stands there, and written
// under its uid and version only where it differs, so that nobody's edit is lost.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../core/model/gate.ts'
import { recordAt, textAt, textsAt } from '../../../core/model/json.ts'
import { isMadeAs, isOwnedBy, takenText } from '../../../core/model/made.ts'
import { mergePatch } from '../../../core/model/mergePatch.ts'
import { refOf, refText } from '../../../core/model/ref.ts'
import type { Kind } from '../../../core/model/view.ts'
import { type Ref, type StatusWrite, type Write, withStatus } from '../../../core/model/write.ts'
import type { Api, ApiRequest } from '../api/client.ts'
import { Fault } from '../api/fault.ts'
import { isNotFound } from '../api/notFound.ts'
import { pathOf } from '../api/resource.ts'
import { isRecord } from '../decode/fields.ts'
import { type KindRow, kinds } from '../kinds.ts'
import { hasAllOf, ownsMoreThan } from './applied.ts'
import type { About } from './events.ts'
import { Outdated } from './writePace.ts'

type Unfinalize = Extract<Write, { type: 'unfinalize' }>
type Apply = Extract<Write, { type: 'apply' }>

type KeeperParts = {
  readonly api: Api
  /** The newest version of an object that the watch has shown; undefined if it is not watched. */
  readonly known: (kind: Kind, key: string) => number | undefined
  readonly kinds?: readonly KindRow[]
  readonly ownNamespace: string
  /** RFC 3339. */
  readonly timestamp: () => string
  /** Asked before every write: false past the renew deadline. */
  readonly mayWrite: () => boolean
  /** Why the object is not allowed: the webhooks do not see what we write ourselves. */
  readonly refusal?: (wanted: JsonObject, there: JsonObject | undefined) => string | undefined
}

/** What was written when the object was last found or made right, and in which version it was. */
type Right = { readonly of: Ref; readonly digest: string; readonly version: number }

const fewest = 64

/** An object can have a megabyte. */
const digestOf = (write: Write): string =>
  createHash('sha256').update(JSON.stringify(write)).digest('base64')

const fieldManager = 'berth'
const [mergeType, applyType] = ['application/merge-patch+json', 'application/apply-patch+yaml']

export class Keeper {
  readonly #parts: KeeperParts
  readonly #rows: ReadonlyMap<string, KindRow>
  /** By write. */
  readonly #right = new Map<string, Right>()
  /** When it is looked through for objects that are gone. */
  #mostRight = fewest

  constructor(parts: KeeperParts) {
    this.#parts = parts
    this.#rows = new Map((parts.kinds ?? kinds).map((row) => [row.kind, row]))
  }

  async keep(write: Write): Promise<void> {
    const [of, digest] = [subjectOf(write), digestOf(write)]
    const id = `${write.type} ${of.kind}/${of.namespace ?? ''}/${of.name}`
    const last = this.#right.get(id)
    // Nearly always: what follows from a change is most often what it was.
    if (last?.digest === digest && last.version === this.#known(of)) return
    this.#right.delete(id)
    const after = await this.#carryOut(write, of)
    const version = Number(textAt(recordAt(after, 'metadata'), 'resourceVersion'))
    if (version > 0) this.#remember(id, { of, digest, version })
  }

  /** Objects also go without us, with their owner or their namespace. */
  #remember(id: string, right: Right): void {
    this.#right.set(id, right)
    if (this.#right.size <= this.#mostRight) return
    for (const [one, { of }] of this.#right) {
      if (this.#known(of) === undefined) this.#right.delete(one)
    }
    this.#mostRight = Math.max(fewest, 2 * this.#right.size)
  }

  /** The object as it stands; undefined if it is not there. */
  async read(of: Ref): Promise<JsonObject | undefined> {
    try {
      const there = await this.#parts.api.call({ method: 'GET', path: this.#pathOf(of) })
      return isRecord(there) ? there : undefined
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  /** For events; undefined if it is not there. */
  async about(kind: string, key: string): Promise<About | undefined> {
    const [first = '', second] = key.split('/')
    const { ownNamespace } = this.#parts
    const place = this.#rowOf(kind).scope === 'ours' ? { namespace: ownNamespace } : {}
    const of = second === undefined ? { name: first, ...place } : { name: second, namespace: first }
    const there = await this.read({ kind, ...of })
    if (there === undefined) return undefined
    const namespace = textAt(recordAt(there, 'metadata'), 'namespace')
    const apiVersion = textAt(there, 'apiVersion')
    return { apiVersion, kind, namespace, name: of.name, ...versionOf(there) }
  }

  async #carryOut(write: Write, of: Ref): Promise<unknown> {
    const there = await this.read(of)
    if (write.type === 'apply') return this.#make(write, of, there)
    if (there === undefined) return undefined
    if (write.type === 'status') return this.#report(write, there)
    if (write.type === 'unfinalize') return this.#unfinalize(write, there)
    if (write.madeFrom !== undefined && !isOwnedBy(there, write.madeFrom)) return undefined
    const body = { preconditions: versionOf(there) }
    await this.#send({ method: 'DELETE', path: this.#pathOf(of), body })
    return undefined
  }

  async #make(write: Apply, of: Ref, there: JsonObject | undefined): Promise<unknown> {
    const { object, isRequired = false, ifServed = false } = write
    if (isRequired && there !== undefined && !isMadeAs(there, object)) {
      throw new NotMade(`${refText(of)}: ${takenText(object)}`)
    }
    try {
      return await this.#apply(object, of, there)
    } catch (error) {
      if (ifServed && there === undefined && isNotFound(error)) return undefined
      throw error
    }
  }

  /**
   * Only on an object that we made (R4.19). What is not there yet is not forced: if somebody else
   * makes it meanwhile, that is refused.
   */
  async #apply(wanted: JsonObject, of: Ref, there: JsonObject | undefined): Promise<unknown> {
    if (there !== undefined && !isMadeAs(there, wanted)) return undefined
    const isRight = there !== undefined && hasAllOf(there, wanted)
    if (isRight && !ownsMoreThan(there, wanted, fieldManager)) return there
    const refusal = this.#parts.refusal?.(wanted, there)
    if (refusal !== undefined) throw new NotMade(refusal)
    const version = there === undefined ? {} : versionOf(there)
    const body = { ...wanted, metadata: { ...recordAt(wanted, 'metadata'), ...version } }
    const query = { fieldManager, force: String(there !== undefined) }
    const path = this.#pathOf(of)
    return this.#send({ method: 'PATCH', path, query, contentType: applyType, body })
  }

  /**
   * Not by server-side apply: a field that an earlier version wrote in another way would belong to
   * two, and stay for ever.
   */
  async #report(write: StatusWrite, there: JsonObject): Promise<unknown> {
    const after = withStatus(there, write, this.#parts.timestamp())
    const status = mergePatch(there['status'] ?? {}, after['status'])
    if (status === undefined) return there
    const path = this.#pathOf(write.of, 'status')
    const body = { metadata: versionOf(there), status }
    return this.#send({ method: 'PATCH', path, contentType: mergeType, body })
  }

  /** Somebody else's stay. */
  async #unfinalize({ of, finalizers }: Unfinalize, there: JsonObject): Promise<unknown> {
    const before = textsAt(recordAt(there, 'metadata'), 'finalizers')
    const after = before.filter((one) => !finalizers.includes(one))
    if (after.length === before.length) return there
    const body = { metadata: { ...versionOf(there), finalizers: after } }
    return this.#send({ method: 'PATCH', path: this.#pathOf(of), contentType: mergeType, body })
  }

  async #send(request: ApiRequest): Promise<unknown> {
    const { api, mayWrite } = this.#parts
    if (!mayWrite()) throw new Outdated(`${request.method} ${request.path}: not ours to write now`)
    return api.call(request)
  }

  #known({ kind, name, namespace }: Ref): number | undefined {
    const { scope } = this.#rowOf(kind)
    const key = scope === 'namespaced' ? `${namespace}/${name}` : name
    return this.#parts.known(kind as Kind, key)
  }

  #pathOf({ kind, name, namespace }: Ref, subresource?: string): string {
    return pathOf({ ...this.#rowOf(kind), namespace }, name, subresource)
  }

  #rowOf(kind: string): KindRow {
    const row = this.#rows.get(kind)
    if (row === undefined) throw new TypeError(`${kind} is not in the table of kinds`)
    return row
  }
}

/** Not sent to the API: the name of a required object is taken, or the object is not allowed. */
export class NotMade extends Fault {
  override readonly name = 'NotMade'
}

const subjectOf = (write: Write): Ref => (write.type === 'apply' ? refOf(write.object) : write.of)

function versionOf(there: JsonObject): { uid: string; resourceVersion: string } {
  const metadata = recordAt(there, 'metadata')
  return { uid: textAt(metadata, 'uid'), resourceVersion: textAt(metadata, 'resourceVersion') }
}
