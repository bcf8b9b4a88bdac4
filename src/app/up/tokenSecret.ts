// What is kept of a token? A Secret with its hash and its bounds. Whoever lists, removes or lets in
// reads it here, so that what lets somebody in is always seen, and is gone when it is removed.
import type { JsonObject } from '../../core/model/gate.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { madeName, whyNoName } from './tokenName.ts'

export const tokenNamespace = 'kube-system'
export const tokenType = 'berth.dev/token'

export type Bounds = {
  /** Whom it names; without it a name is made. */
  readonly user?: string
  /** Only what is in this namespace. */
  readonly namespace?: string
  /** Of that namespace: one that is made later under its name is another one. */
  readonly namespaceUid?: string
  readonly isReadOnly: boolean
  /** RFC 3339. */
  readonly until?: string
}

export const secretName = (id: string): string => `berth-token-${id}`

export type Kept = Required<Bounds> & { readonly id: string; readonly hash: string }

/** What was not said is ''. Undefined for a Secret that is none of ours, or names one of us. */
export function keptIn(secret: JsonObject): Kept | undefined {
  const fields = new Fields(secret, [])
  const metadata = fields.inner('metadata')
  const id = metadata.inner('labels').text(tokenType)
  const isToken = secret['type'] === tokenType && metadata.text('name') === secretName(id)
  const data = fields.inner('data')
  const text = (name: string) => Buffer.from(data.text(name), 'base64').toString()
  const user = text('user')
  if (!isToken || (user !== madeName(id) && whyNoName(user) !== undefined)) return undefined
  return {
    id,
    hash: text('hash'),
    user,
    namespace: text('namespace'),
    namespaceUid: text('namespaceUid'),
    isReadOnly: text('readOnly') !== 'false',
    until: text('until'),
  }
}

/** What is no time is over. */
export const isOver = (until: string, now: Date): boolean =>
  until !== '' && !(new Date(until) > now)
