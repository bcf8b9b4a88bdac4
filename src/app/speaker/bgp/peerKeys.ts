// Which password does a peer have? Read by name: a watch of Secrets would need the right to see all
// of the namespace. Its bytes go to the kernel and nowhere else: not into the World, a log or a
// status.
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import type { ProtocolHost } from '../protocol.ts'
import type { PeerPlan } from './peerPlan.ts'

type Keyed = Pick<PeerPlan, 'name' | 'password' | 'secret' | 'passwordVersion'>
/** `recently`: what was read a moment ago will do. */
type When = 'now' | 'recently'

type KeyParts = {
  readonly namespace: string
  readonly nowMs: () => number
  readonly random: () => number
  /** Of the cluster: each of them asks. */
  readonly nodes: () => number
}

/** What is there cannot be a key. */
class NoKey extends Fault {
  override readonly name = 'NoKey'
}

type Answer = {
  /** Of a BGPPeer; undefined where nobody says when it changes. */
  readonly version: number | undefined
  readonly key: Uint8Array | undefined
  /** Why there is none. */
  readonly error: unknown
  /** When it is to be read again. */
  readonly dueMs: number
}

/** TCP_MD5SIG_MAXKEYLEN */
const longestKey = 80
/** All nodes together ask for a Secret 20 times a second at most, and each in the hold time. */
const [soonestMs, perNodeMs, latestMs] = [5_000, 50, 60_000] as const

type KeyHost = Pick<ProtocolHost, 'api' | 'world' | 'clock' | 'random'>

export const newPeerKeys = ({ api, world, clock, random }: KeyHost): PeerKeys => {
  const nodes = () => world.all('Node').size
  return new PeerKeys(api, { namespace: world.ownNamespace, nowMs: clock.nowMs, random, nodes })
}

export class PeerKeys {
  readonly #api: Api
  readonly #parts: KeyParts
  /** By path: many peers may name one Secret. */
  readonly #answers = new Map<string, Answer>()
  readonly #asked = new Map<string, Promise<unknown>>()

  constructor(api: Api, parts: KeyParts) {
    this.#api = api
    this.#parts = parts
  }

  async keyOf(plan: Keyed, when: When = 'now'): Promise<Uint8Array | undefined> {
    if (plan.password === 'none') return undefined
    const path = this.#pathOf(plan)
    const before = this.#answers.get(path)
    if (before !== undefined && this.#isGood(before, plan, when)) return keyIn(before)
    const answer = await this.#read(path, plan)
    this.#answers.set(path, answer)
    return keyIn(answer)
  }

  /** Whoever watches the BGPPeer knows when the password in it is another one. */
  #isGood({ version, error, dueMs }: Answer, plan: Keyed, when: When): boolean {
    const isSame = plan.password === 'inline' && version === plan.passwordVersion
    if (isSame && version !== undefined && error === undefined) return true
    return when === 'recently' && version === plan.passwordVersion && this.#parts.nowMs() < dueMs
  }

  async #read(path: string, plan: Keyed): Promise<Answer> {
    const { nowMs, random, nodes } = this.#parts
    const everyMs = Math.min(latestMs, Math.max(soonestMs, nodes() * perNodeMs))
    const rest = { version: plan.passwordVersion, dueMs: nowMs() + everyMs * (0.75 + random() / 4) }
    try {
      return { ...rest, key: usable(await this.#get(path), plan), error: undefined }
    } catch (error) {
      const known = this.#answers.get(path)
      const isLost = known?.key !== undefined && !hasAnswered(error)
      return isLost ? { ...known, dueMs: rest.dueMs } : { ...rest, key: undefined, error }
    }
  }

  #pathOf({ password, name, secret }: Keyed): string {
    const { namespace } = this.#parts
    return password === 'inline'
      ? pathOf(resourceOf('BGPPeer', namespace), name)
      : pathOf(resourceOf('Secret', namespace), secret)
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

/** Said that it is not there, or not for us: while the API is away, what was known counts. */
const hasAnswered = (error: unknown): boolean =>
  error instanceof NoKey || (error instanceof ApiError && error.code < 500 && error.code !== 429)

function keyIn({ key, error }: Answer): Uint8Array | undefined {
  if (error !== undefined) throw error
  return key
}

function usable(found: unknown, plan: Keyed): Uint8Array {
  const key = plan.password === 'inline' ? inlineKey(found, plan) : secretKey(found, plan)
  if (key.length > longestKey) throw new NoKey(`it is longer than ${longestKey} bytes`)
  return key
}

const inlineKey = (found: unknown, { name }: Keyed): Uint8Array =>
  filled(Buffer.from(textIn(inside(found, 'spec'), 'password')), `BGPPeer ${name} has none`)

function secretKey(found: unknown, { secret }: Keyed): Uint8Array {
  if (textIn(found, 'type') !== 'kubernetes.io/basic-auth') {
    throw new NoKey(`Secret ${secret} is not of type kubernetes.io/basic-auth`)
  }
  const text = textIn(inside(found, 'data'), 'password')
  return filled(Buffer.from(text, 'base64'), `Secret ${secret} has no key password`)
}

const inside = (json: unknown, name: string): unknown => (isRecord(json) ? json[name] : undefined)

function textIn(json: unknown, name: string): string {
  const value = inside(json, name)
  return typeof value === 'string' ? value : ''
}

function filled(key: Uint8Array, otherwise: string): Uint8Array {
  if (key.length === 0) throw new NoKey(otherwise)
  return key
}
