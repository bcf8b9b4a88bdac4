// How does text stand on a wire where there is no TextEncoder? As UTF-8, written out; what is not
// UTF-8, or moves a cursor on a terminal, is shown as a replacement character.

const unknown = '\u{fffd}'

/** Whole characters only, as many as fit. */
export function utf8(text: string, mostBytes: number): Uint8Array {
  const octets: number[] = []
  for (const character of text) {
    const encoded = encodeCharacter(character.codePointAt(0) ?? 0)
    if (octets.length + encoded.length > mostBytes) break
    octets.push(...encoded)
  }
  return Uint8Array.from(octets)
}

function encodeCharacter(point: number): readonly number[] {
  const tail = (shift: number): number => 0x80 | ((point >> shift) & 0x3f)
  if (point < 0x80) return [point]
  if (point < 0x800) return [0xc0 | (point >> 6), tail(0)]
  if (point < 0x10000) return [0xe0 | (point >> 12), tail(6), tail(0)]
  return [0xf0 | (point >> 18), tail(12), tail(6), tail(0)]
}

export function textFrom(octets: Uint8Array): string {
  let text = ''
  for (let at = 0; at < octets.length; ) {
    const [point, length] = decodeCharacter(octets, at)
    text += point === undefined || isControl(point) ? unknown : String.fromCodePoint(point)
    at += length
  }
  return text
}

const isControl = (point: number): boolean => point < 0x20 || (point >= 0x7f && point < 0xa0)
/** Of sequences of two to four octets: the least that they may stand for. */
const least = [0, 0, 0x80, 0x800, 0x10000] as const

function decodeCharacter(
  octets: Uint8Array,
  at: number,
): readonly [point: number | undefined, length: number] {
  const first = octets[at] ?? 0
  const length = lengthBy(first)
  if (length === 1) return [first, 1]
  let point = first & (0xff >> (length + 1))
  for (let behind = 1; behind < length; behind++) {
    const octet = octets[at + behind]
    if (octet === undefined || octet >> 6 !== 2) return [undefined, 1]
    point = (point << 6) | (octet & 0x3f)
  }
  const isWrong = length === 0 || point < (least[length] ?? 0) || point > 0x10ffff
  return isWrong || (point >= 0xd800 && point < 0xe000) ? [undefined, 1] : [point, length]
}

function lengthBy(first: number): number {
  if (first < 0x80) return 1
  if (first >> 5 === 6) return 2
  if (first >> 4 === 14) return 3
  return first >> 3 === 30 ? 4 : 0
}
