// Which values does each field of a message have, in the order received?
import type { Field, Message } from './messages.ts'
import { type Reading, type Tag, WireReader, wireTypes } from './wire.ts'

/** Strings, bytes, map entries and messages stay chunks until they are read. */
export type Sent = number | boolean | Uint8Array
type Fields = ReadonlyMap<number, readonly Sent[]>

/** A message may be split into several chunks; later values win. */
export function scanMessage(message: Message, chunks: readonly Sent[], reading: Reading): Fields {
  const fields = new Map<number, Sent[]>()
  for (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) continue
    const reader = new WireReader(chunk, reading)
    while (!reader.isDone) {
      const tag = reader.tag()
      const field = fieldAt(message, tag, reading)
      if (field === undefined) reader.skip(tag.wireType)
      else keep(fields, field.number, readField(field, tag, { reader, reading }))
    }
  }
  return fields
}

function fieldAt(message: Message, tag: Tag, reading: Reading): Field | undefined {
  const { number, wireType } = tag
  if (wireType === wireTypes.end) {
    reading.fail(`proto: ${message.name}: wiretype end group for non-group`)
  } else if (number <= 0) {
    reading.fail(`proto: ${message.name}: illegal tag ${number} (wire type ${wireType})`)
  }
  return message.fields.get(number)
}

function keep(fields: Map<number, Sent[]>, number: number, sent: readonly Sent[]): void {
  const before = fields.get(number)
  if (before === undefined) fields.set(number, [...sent])
  else for (const one of sent) before.push(one)
}

type Source = { readonly reader: WireReader; readonly reading: Reading }

/** One value, or several for packed numbers. */
function readField(field: Field, { wireType }: Tag, { reader, reading }: Source): readonly Sent[] {
  reading.countValue()
  const readOne = field.shape === 'map' ? undefined : numbers[field.type]
  const ofNumber = field.type === 'double' ? wireTypes.fixed64 : wireTypes.varint
  const due = readOne === undefined ? wireTypes.chunk : ofNumber
  if (wireType === due) return [readOne === undefined ? reader.chunk() : readOne(reader)]
  if (readOne === undefined || field.shape !== 'list' || wireType !== wireTypes.chunk) {
    reading.fail(`proto: wrong wireType = ${wireType} for field ${field.name || field.type}`)
    return []
  }
  const packed = new WireReader(reader.chunk(), reading)
  const sent: Sent[] = []
  while (!packed.isDone) {
    reading.countValue()
    sent.push(readOne(packed))
  }
  return sent
}

const numbers: Readonly<Record<string, (reader: WireReader) => number | boolean>> = {
  bool: (reader) => reader.bool(),
  double: (reader) => reader.double(),
  int32: (reader) => reader.int32(),
  int64: (reader) => reader.int64(),
}
