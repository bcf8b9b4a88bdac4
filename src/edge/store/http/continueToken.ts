// Where does the next page start, and at which revision? Opaque to clients, as in Kubernetes.
import { isRecord } from '../../kube/decode/fields.ts'
import { badRequest, done, type Outcome } from '../values/status.ts'

type Continue = {
  /** Undefined for a list that continues with the current state, because its revision expired. */
  readonly at: number | undefined
  readonly after: string
}

const version = 'meta.k8s.io/v1'

export function encodeContinue({ at = -1, after }: Continue): string {
  const json = JSON.stringify({ v: version, rv: at, start: after })
  return Buffer.from(json, 'utf8').toString('base64url')
}

export function decodeContinue(token: string): Outcome<Continue> {
  const wrong = (why: string) =>
    badRequest(`invalid continue token: continue key is not valid: ${why}`)
  const json = jsonOf(Buffer.from(token, 'base64url').toString('utf8'))
  if (!isRecord(json)) return wrong('this server did not issue it')
  const { v, rv, start } = json
  if (v !== version) {
    return wrong(`server does not recognize this encoded version ${typeof v === 'string' ? v : ''}`)
  }
  if (!Number.isSafeInteger(rv) || typeof rv !== 'number' || rv === 0 || rv < -1) {
    return wrong('incorrect encoded start resourceVersion (version meta.k8s.io/v1)')
  }
  if (typeof start !== 'string' || start === '') {
    return wrong('empty encoded start key (version meta.k8s.io/v1)')
  }
  return done({ at: rv === -1 ? undefined : rv, after: start })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
