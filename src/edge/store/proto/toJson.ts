// Which JSON is a message? The same as Go writes, without null values.
import type { JsonObject } from '../../../core/model/gate.ts'
import { type Field, type Message, messageNamed } from './messages.ts'
import { type Sent, scanMessage } from './scanMessage.ts'
import { wellKnown } from './wellKnown.ts'
import type { Reading } from './wire.ts'

/** With a `reading.fault` the result is useless. */
export function toJson(message: Message, chunks: readonly Sent[], reading: Reading): JsonObject {
  const fields = scanMessage(message, chunks, reading)
  const json: Record<string, unknown> = {}
  for (const field of message.fields.values()) {
    const sent = fields.get(field.number) ?? []
    if (field.presence === 'inline') {
      Object.assign(json, valueJson(field.type, sent, reading))
    } else {
      const value = fieldJson(field, sent, reading)
      if (value !== undefined) json[field.name] = value
    }
  }
  return json
}

function fieldJson(field: Field, sent: readonly Sent[], reading: Reading): unknown {
  const { presence, shape, type } = field
  if (sent.length === 0 && (presence !== 'always' || shape !== 'one')) return undefined
  if (shape === 'list') return sent.map((one) => valueJson(type, [one], reading))
  if (shape === 'map') return mapJson(type, sent, reading)
  const value = valueJson(type, sent, reading)
  return presence === 'filled' && !value ? undefined : value
}

/** The last value of a repeated key wins; `__proto__` is a key like any other. */
function mapJson(type: string, entries: readonly Sent[], reading: Reading): JsonObject {
  const key: Field = { number: 1, name: 'key', presence: 'always', shape: 'one', type: 'string' }
  const value: Field = { ...key, number: 2, name: 'value', type }
  const entry: Message = { name: 'Entry', fields: new Map([key, value].map((f) => [f.number, f])) }
  return Object.fromEntries(
    entries.map((sent) => {
      const pair = toJson(entry, [sent], reading)
      return [pair['key'], pair['value']]
    }),
  )
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const zeros: Readonly<Record<string, unknown>> = { bool: false, double: 0, int32: 0, int64: 0 }

function valueJson(type: string, sent: readonly Sent[], reading: Reading): unknown {
  const message = messageNamed(type)
  if (message !== undefined) {
    const json = reading.deeper(() => toJson(message, sent, reading), {})
    const special = wellKnown[type]
    return special === undefined ? json : special(json, reading)
  }
  const last = sent.at(-1)
  if (!(last instanceof Uint8Array)) return last ?? zeros[type] ?? ''
  if (type === 'string') return utf8.decode(last)
  return type === 'raw' ? last : Buffer.from(last).toString('base64')
}
