// Whose is a token? Each is a Secret that holds its hash and its bounds: deleting it ends it.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JsonObject } from '../../core/model/gate.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { masters } from './keys.ts'

export const tokenNamespace = 'kube-system'
export const tokenType = 'berth.dev/token'

export type Bounds = {
  /** Whom it names; without it a name is made. */
  readonly user?: string
  /** Only what is in this namespace. */
  readonly namespace?: string
  readonly isReadOnly: boolean
  /** RFC 3339. */
  readonly until?: string
}

export type Bearer = {
  readonly user: string
  readonly groups: readonly string[]
  readonly namespace?: string
  readonly isReadOnly: boolean
}

/** The text is shown once and kept nowhere. */
export function newToken(bounds: Bounds): { readonly text: string; readonly secret: JsonObject } {
  const id = randomBytes(5).toString('hex')
  const key = randomBytes(32).toString('base64url')
  const { user = `berth-token:${id}`, namespace = '', isReadOnly, until = '' } = bounds
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretName(id), namespace: tokenNamespace, labels: { [tokenType]: id } },
    type: tokenType,
    stringData: { hash: hashOf(key), user, namespace, readOnly: String(isReadOnly), until },
  }
  return { text: `berth-${id}.${key}`, secret }
}

const secretName = (id: string): string => `berth-token-${id}`
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** Undefined for a token that nobody made, that is over, or whose Secret is gone. */
export function bearerOf(
  token: string,
  secretNamed: (name: string) => JsonObject | undefined,
  now: Date,
): Bearer | undefined {
  const [, id = '', key = ''] = /^berth-([0-9a-f]{10})\.([\w-]{43})$/.exec(token) ?? []
  const secret = id === '' ? undefined : secretNamed(secretName(id))
  if (secret === undefined || secret['type'] !== tokenType) return undefined
  const data = new Fields(secret, []).inner('data')
  const text = (name: string) => Buffer.from(data.text(name), 'base64').toString()
  if (!isSame(text('hash'), hashOf(key))) return undefined
  const [namespace, until] = [text('namespace'), text('until')]
  // What is no time is over.
  if (until !== '' && !(new Date(until) > now)) return undefined
  const isReadOnly = text('readOnly') !== 'false'
  const isBound = isReadOnly || namespace !== ''
  return {
    user: text('user'),
    groups: isBound ? [] : [masters],
    isReadOnly,
    ...(namespace === '' ? {} : { namespace }),
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
