// How does Go decode and encode the strings and numbers of built-in kinds?
import { canonicalQuantity } from '../values/quantity.ts'

export type Scalar = { readonly ok: true; readonly value: unknown } | Unreadable
type Unreadable = { readonly ok: false; readonly why: string }

const read = (value: unknown): Scalar => ({ ok: true, value })
const unreadable = (why: string): Unreadable => ({ ok: false, why })

const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/

/** In whole seconds, in UTC. */
export function readTime(text: string): Scalar {
  const at = time.test(text) ? new Date(text) : undefined
  if (at === undefined || Number.isNaN(at.getTime())) {
    return unreadable(
      `parsing time "${text}" as "2006-01-02T15:04:05Z07:00": cannot parse "${text}"`,
    )
  }
  return read(`${at.toISOString().slice(0, 19)}Z`)
}

/** With exactly six fractional digits. */
export function readMicroTime(text: string): Scalar {
  const [, , fraction = ''] = time.exec(text) ?? []
  const at = fraction.length === 6 ? new Date(text) : undefined
  if (at === undefined || Number.isNaN(at.getTime())) {
    const form = '2006-01-02T15:04:05.000000Z07:00'
    return unreadable(`parsing time "${text}" as "${form}": cannot parse "${text}"`)
  }
  return read(`${at.toISOString().slice(0, 19)}.${fraction}Z`)
}

/** As Go encodes it: `1000m` becomes `1`. */
export function readQuantity(value: unknown): Scalar {
  const text = typeof value === 'number' ? String(value) : value
  const amount = typeof text === 'string' ? canonicalQuantity(text) : undefined
  if (amount !== undefined) return read(amount)
  const pattern = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
  return unreadable(`quantities must match the regular expression '${pattern}'`)
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** As Go encodes it: without line breaks and without excess bits in the last letter. */
export function readBase64(text: string): Scalar {
  const plain = text.replace(/[\r\n]/g, '')
  if (plain.length % 4 !== 0 || !base64.test(plain)) return unreadable('illegal base64 data')
  return read(Buffer.from(plain, 'base64').toString('base64'))
}

const int32 = { lowest: -(2 ** 31), highest: 2 ** 31 - 1 }
const int64 = { lowest: -(2 ** 63), highest: 2 ** 63 }

export function isInteger(number: number, format: string): boolean {
  const { lowest, highest } = format === 'int32' ? int32 : int64
  return Number.isInteger(number) && number >= lowest && number <= highest
}
