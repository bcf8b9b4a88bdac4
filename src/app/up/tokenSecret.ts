// What is kept of a token? A Secret with its hash and its bounds.
import type { JsonObject } from '../../core/model/gate.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'

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

export const secretName = (id: string): string => `berth-token-${id}`

export type Kept = Required<Bounds> & { readonly id: string; readonly hash: string }

/** What was not said is ''. */
export function keptIn(secret: JsonObject): Kept {
  const fields = new Fields(secret, [])
  const data = fields.inner('data')
  const text = (name: string) => Buffer.from(data.text(name), 'base64').toString()
  return {
    id: fields.inner('metadata').inner('labels').text(tokenType),
    hash: text('hash'),
    user: text('user'),
    namespace: text('namespace'),
    isReadOnly: text('readOnly') !== 'false',
    until: text('until'),
  }
}

/** What is no time is over. */
export const isOver = (until: string, now: Date): boolean =>
  until !== '' && !(new Date(until) > now)
