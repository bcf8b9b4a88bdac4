// Which password does a peer have? Read by name: a watch of Secrets would need the right to see all
// of the namespace. Its bytes go to the kernel and nowhere else: not into the World, a log or a
// status.
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { specVersionOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields, isRecord } from '../../../edge/kube/decode/fields.ts'
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
  /** Later ones have a higher one. */
  readonly readNumber: number
  /** Of the plan that it was read for. */
  readonly wanted: string | undefined
  /** Version of the BGPPeer that was read; undefined if changes are not reported. */
  readonly version: string | undefined
  readonly key: Uint8Array | undefined
  /** Why there is none. */
  readonly error: unknown
  /** When to read it again. */
  readonly dueMs: number
}

/** TCP_MD5SIG_MAXKEYLEN */
const longestKey = 80
/**
 * Up to 1,200 nodes together read a Secret 20 times a second at most. With more of them each still
 * reads it within the hold time that is usual.
 */
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
  #reads = 0

  constructor(api: Api, parts: KeyParts) {
    this.#api = api
    this.#parts = parts
  }

  async keyOf(plan: Keyed, when: When = 'now'): Promise<Uint8Array | undefined> {
    if (plan.password === 'none') return undefined
    const path = this.#pathOf(plan)
    const before = this.#answers.get(path)
    if (before !== undefined && this.#isGood(before, plan, when)) return keyIn(before)
    const answer = await this.#read(path, plan, ++this.#reads)
    const known = this.#answers.get(path)
    // A slow answer does not undo one that was asked for later.
    if (known !== undefined && known.readNumber > answer.readNumber) return keyIn(known)
    this.#answers.set(path, answer)
    return keyIn(answer)
  }

  /** What is known for other peers is forgotten: one of the same name may come back. */
  keep(plans: readonly Keyed[]): void {
    const paths = new Set(plans.map((plan) => this.#pathOf(plan)))
    for (const path of this.#answers.keys()) if (!paths.has(path)) this.#answers.delete(path)
  }

  /** The watch of the BGPPeer reports when its inline password changes. */
  #isGood({ wanted, version, error, dueMs }: Answer, plan: Keyed, when: When): boolean {
    const isSame = version !== undefined && version === plan.passwordVersion
    if (isSame && error === undefined) return true
    return when === 'recently' && wanted === plan.passwordVersion && this.#parts.nowMs() < dueMs
  }

  async #read(path: string, plan: Keyed, readNumber: number): Promise<Answer> {
    const { nowMs, random, nodes } = this.#parts
    const everyMs = Math.min(latestMs, Math.max(soonestMs, nodes() * perNodeMs))
    const dueMs = nowMs() + everyMs * (1 + random() / 4)
    const rest = { readNumber, wanted: plan.passwordVersion, dueMs }
    try {
      const found = await this.#get(path, plan)
      const version = plan.password === 'inline' ? specVersionOf(new Fields(found, [])) : undefined
      return { ...rest, version, key: usable(found, plan), error: undefined }
    } catch (error) {
      const known = this.#answers.get(path)
      const isLost = known?.key !== undefined && !hasAnswered(error)
      if (isLost) return { ...known, ...rest }
      return { ...rest, version: undefined, key: undefined, error }
    }
  }

  #pathOf({ password, name, secret }: Keyed): string {
    const { namespace } = this.#parts
    return password === 'inline'
      ? pathOf(resourceOf('BGPPeer', namespace), name)
      : pathOf(resourceOf('Secret', namespace), secret)
  }

  /** Shared, but not with who knows of a change since it was asked. */
  #get(path: string, { passwordVersion = '' }: Keyed): Promise<unknown> {
    const name = `${path} ${passwordVersion}`
    const asked = this.#asked.get(name)
    if (asked !== undefined) return asked
    const answer = this.#api.call({ method: 'GET', path })
    this.#asked.set(name, answer)
    const forget = () => this.#asked.delete(name)
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
