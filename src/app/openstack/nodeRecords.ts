// How do claims, Reservations and statuses reach the API? Each under the uid and version that it
// was decided from; what the API answers counts at once.
import type { JsonObject } from '../../core/model/gate.ts'
import type { AddressBlock } from '../../core/model/ipam/addressBlock.ts'
import type { IpSet } from '../../core/model/ipam/ipSet.ts'
import { recordAt } from '../../core/model/json.ts'
import type { View } from '../../core/model/view.ts'
import type { Reservation } from '../../core/model/wires.ts'
import type { World } from '../../core/model/world.ts'
import type { StatusWrite } from '../../core/model/write.ts'
import type { BlockWrite } from '../../core/policy/claims.ts'
import { blockWrite } from '../../core/policy/ipam/decideBlock.ts'
import type { Api, ApiRequest } from '../../edge/kube/api/client.ts'
import { isObjectGone } from '../../edge/kube/api/notFound.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import type { Versions } from '../../edge/kube/feed/versions.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'
import { Outdated } from '../../edge/kube/write/writePace.ts'

type RecordParts = {
  readonly api: Api
  readonly world: World
  readonly versions: Versions
  /** Asked before every write: false past the renew deadline. */
  readonly mayWrite: () => boolean
}

type NodeKind = 'IPSet' | 'Reservation' | 'AddressBlock'

const blocks = resourceOf('AddressBlock')
const contentType = 'application/merge-patch+json'

export class NodeRecords {
  readonly #parts: RecordParts

  constructor(parts: RecordParts) {
    this.#parts = parts
  }

  /** Created, updated under its version, or deleted under uid and version (R12.5). */
  async writeBlock(write: BlockWrite): Promise<void> {
    const { world, versions } = this.#parts
    const { name } = write
    const before = world.all('AddressBlock').get(name)
    const known = versions.known('AddressBlock', name)
    const reply = await this.#send(blockCall(write, before))
    if (write.type === 'put') this.#enter(reply)
    else this.#forget('AddressBlock', name, known)
  }

  /** `before` is what it was decided from: another leader may have written it meanwhile. */
  async writeReservation(object: JsonObject, before: Reservation | undefined): Promise<void> {
    const metadata = new Fields(object, []).inner('metadata')
    const [namespace, name] = [metadata.text('namespace'), metadata.text('name')]
    const place = resourceOf('Reservation', namespace)
    if (before === undefined) {
      this.#enter(await this.#send({ method: 'POST', path: pathOf(place), body: object }))
      return
    }
    const { uid, resourceVersion } = before
    const { labels, ownerReferences } = recordAt(object, 'metadata')
    const body = {
      metadata: { uid, resourceVersion, labels, ownerReferences },
      spec: object['spec'],
    }
    this.#enter(await this.#send({ method: 'PATCH', path: pathOf(place, name), contentType, body }))
  }

  async writeStatus(view: IpSet, { fields }: StatusWrite): Promise<void> {
    const { namespace, name, uid, resourceVersion } = view
    const path = pathOf(resourceOf('IPSet', namespace), name, 'status')
    const body = { metadata: { uid, resourceVersion }, status: fields }
    this.#enter(await this.#send({ method: 'PATCH', path, contentType, body }))
  }

  /** As the API has it now; undefined if it is gone. */
  async read(kind: NodeKind, key: string): Promise<View | undefined> {
    const { api, versions } = this.#parts
    const known = versions.known(kind, key)
    const [first = '', second] = key.split('/')
    const path =
      second === undefined ? pathOf(blocks, first) : pathOf(resourceOf(kind, first), second)
    try {
      return this.#enter(await api.call({ method: 'GET', path }))
    } catch (error) {
      if (!isObjectGone(error, second ?? first)) throw error
      this.#forget(kind, key, known)
      return undefined
    }
  }

  async #send(request: ApiRequest): Promise<unknown> {
    const { api, mayWrite } = this.#parts
    if (!mayWrite()) throw new Outdated(`${request.method} ${request.path}: not ours to write now`)
    return api.call(request)
  }

  /** An object older than ours changes nothing, but it is still the API's answer. */
  #enter(json: unknown): View | undefined {
    const { world, versions } = this.#parts
    const decoded = decode(json)
    if (decoded.kind !== 'view') return undefined
    if (versions.isNewsAnswered(decoded.view, json)) {
      world.apply({ type: 'upsert', view: decoded.view })
    }
    return decoded.view
  }

  #forget(kind: NodeKind, key: string, known: number | undefined): void {
    const { world, versions } = this.#parts
    if (versions.gone(kind, key, known)) world.apply({ type: 'delete', kind, key })
  }
}

function blockCall(write: BlockWrite, before: AddressBlock | undefined): ApiRequest {
  const { uid = '', resourceVersion = '' } = before ?? {}
  const wanted = blockWrite(write)
  const path = pathOf(blocks, write.name)
  if (wanted.type === 'delete') {
    return { method: 'DELETE', path, body: { preconditions: { uid, resourceVersion } } }
  }
  if (before === undefined) return { method: 'POST', path: pathOf(blocks), body: wanted.object }
  const body = { metadata: { uid, resourceVersion }, spec: wanted.object['spec'] }
  return { method: 'PATCH', path, contentType, body }
}
