// Which password does a peer have? Read by name whenever it is dialled, and every few seconds: a
// watch would need the right to list every Secret of the namespace. Its bytes go to the kernel and
// nowhere else: not into the World, a log or a status.
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import type { PeerPlan } from './peerPlan.ts'

type Keyed = Pick<PeerPlan, 'name' | 'password' | 'secret'>

/** TCP_MD5SIG_MAXKEYLEN */
const longestKey = 80

export class PeerKeys {
  readonly #api: Api
  readonly #namespace: string
  /** By peer, for the time when the API does not answer. */
  readonly #known = new Map<string, Uint8Array>()
  /** By path: many peers may name one Secret. */
  readonly #asked = new Map<string, Promise<unknown>>()

  constructor(api: Api, namespace: string) {
    this.#api = api
    this.#namespace = namespace
  }

  async keyOf(plan: Keyed): Promise<Uint8Array | undefined> {
    if (plan.password === 'none') return undefined
    try {
      const key = plan.password === 'inline' ? await this.#inline(plan) : await this.#secret(plan)
      if (key.length > longestKey) throw new Fault(`it is longer than ${longestKey} bytes`)
      this.#known.set(plan.name, key)
      return key
    } catch (error) {
      const known = this.#known.get(plan.name)
      // Whoever has answered has said that it is not there, or not for us.
      if (known === undefined || error instanceof ApiError || error instanceof Fault) throw error
      return known
    }
  }

  async #inline({ name }: Keyed): Promise<Uint8Array> {
    const path = pathOf(resourceOf('BGPPeer', this.#namespace), name)
    const spec = inside(await this.#get(path), 'spec')
    return filled(Buffer.from(textIn(spec, 'password')), `BGPPeer ${name} has none`)
  }

  async #secret({ secret }: Keyed): Promise<Uint8Array> {
    const path = pathOf(resourceOf('Secret', this.#namespace), secret)
    const found = await this.#get(path)
    if (textIn(found, 'type') !== 'kubernetes.io/basic-auth') {
      throw new Fault(`Secret ${secret} is not of type kubernetes.io/basic-auth`)
    }
    const text = textIn(inside(found, 'data'), 'password')
    return filled(Buffer.from(text, 'base64'), `Secret ${secret} has no key password`)
  }

  #get(path: string): Promise<unknown> {
    const asked = this.#asked.get(path)
    if (asked !== undefined) return asked
    const answer = this.#api.call({ method: 'GET', path })
    this.#asked.set(path, answer)
    const forget = () => this.#asked.delete(path)
    answer.then(forget, forget)
    return answer
  }
}

const inside = (json: unknown, name: string): unknown => (isRecord(json) ? json[name] : undefined)

function textIn(json: unknown, name: string): string {
  const value = inside(json, name)
  return typeof value === 'string' ? value : ''
}

function filled(key: Uint8Array, otherwise: string): Uint8Array {
  if (key.length === 0) throw new Fault(otherwise)
  return key
}
