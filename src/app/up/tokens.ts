// Whose is a token? Each is a Secret that holds its hash and its bounds: deleting it ends it.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JsonObject } from '../../core/model/gate.ts'
import { typeOf } from '../../edge/kube/kinds.ts'
import { masters } from './keys.ts'
import { madeName } from './tokenName.ts'
import {
  type Bounds,
  isOver,
  keptIn,
  secretName,
  tokenNamespace,
  tokenType,
} from './tokenSecret.ts'

type Bearer = {
  readonly user: string
  readonly groups: readonly string[]
  readonly namespace?: string
  readonly isReadOnly: boolean
}

/** The text is shown once and kept nowhere. */
export function newToken(bounds: Bounds): { readonly text: string; readonly secret: JsonObject } {
  const id = randomBytes(5).toString('hex')
  const key = randomBytes(32).toString('base64url')
  const { user = madeName(id), namespace = '', isReadOnly, until = '' } = bounds
  const { namespaceUid = '' } = bounds
  const where = { namespace, namespaceUid }
  const secret = {
    ...typeOf('Secret'),
    metadata: { name: secretName(id), namespace: tokenNamespace, labels: { [tokenType]: id } },
    type: tokenType,
    stringData: { hash: hashOf(key), user, ...where, readOnly: String(isReadOnly), until },
  }
  return { text: `berth-${id}.${key}`, secret }
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** What tokens are held against. */
export type Known = {
  readonly secretNamed: (name: string) => JsonObject | undefined
  readonly uidOfNamespace: (name: string) => string | undefined
}

/** Undefined for a token that nobody made, that is over, or whose Secret or namespace is gone. */
export function bearerOf(token: string, known: Known, now: Date): Bearer | undefined {
  const [, id = '', key = ''] = /^berth-([0-9a-f]{10})\.([\w-]{43})$/.exec(token) ?? []
  const secret = id === '' ? undefined : known.secretNamed(secretName(id))
  const kept = secret && keptIn(secret)
  if (kept === undefined || kept.id !== id) return undefined
  const { hash, user, namespace, namespaceUid, isReadOnly, until } = kept
  if (!isSame(hash, hashOf(key)) || isOver(until, now)) return undefined
  if (namespace !== '' && known.uidOfNamespace(namespace) !== namespaceUid) return undefined
  const isBound = isReadOnly || namespace !== ''
  return {
    user,
    groups: isBound ? [] : [masters],
    isReadOnly,
    ...(namespace === '' ? {} : { namespace }),
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
