// Which names are carried? Those of nodes and interfaces: printable ASCII, a length before them.
import type { Reader } from '../reader.ts'
import type { Writer } from '../writer.ts'

/** A DNS subdomain, as node names are. */
export const longestNodeName = 253
/** IFNAMSIZ without its zero. */
export const longestLinkName = 15

export function isName(text: string, longest: number): boolean {
  if (text.length === 0 || text.length > longest) return false
  for (let at = 0; at < text.length; at++) if (!isPrintable(text.charCodeAt(at))) return false
  return true
}

export function writeName(w: Writer, name: string): void {
  w.u8(name.length)
  for (let at = 0; at < name.length; at++) w.u8(name.charCodeAt(at))
}

export function readName(r: Reader, longest: number): string | undefined {
  const text = readText(r, longest)
  return text === '' ? undefined : text
}

/** As a name, or nothing. */
export function readText(r: Reader, longest: number): string | undefined {
  const length = r.u8()
  if (length > longest) return undefined
  let text = ''
  for (const octet of r.bytes(length)) {
    if (!isPrintable(octet)) return undefined
    text += String.fromCharCode(octet)
  }
  return text
}

const isPrintable = (code: number): boolean => code > 0x20 && code < 0x7f
