import { expect, test } from 'vitest'
import { Writer } from './writer.ts'

test.each([
  { field: 'u8', write: (writer: Writer) => writer.u8(1), bytes: [1] },
  { field: 'u16', write: (writer: Writer) => writer.u16(1), bytes: [0, 1] },
  { field: 'u32', write: (writer: Writer) => writer.u32(1), bytes: [0, 0, 0, 1] },
  { field: 'u64', write: (writer: Writer) => writer.u64(1n), bytes: [0, 0, 0, 0, 0, 0, 0, 1] },
  { field: 'bytes', write: (writer: Writer) => writer.bytes(Uint8Array.of(1)), bytes: [1] },
])('writing a $field beyond the capacity grows the buffer', ({ write, bytes }) => {
  const writer = new Writer(1).u8(9)
  expect([...write(writer).done()]).toEqual([9, ...bytes])
})
