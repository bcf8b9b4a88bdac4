// Which JSON does a body hold? Its depth is limited, because recursive code runs out of stack after
// some thousand levels, which JSON.parse accepts.
import { type Parsed, parsed, refused } from '../../../core/net/parsed.ts'
import { duplicateFields } from './duplicateFields.ts'

export type Json = {
  readonly value: unknown
  /** Repeated fields; the last value is used. */
  readonly duplicates: readonly string[]
}

/** Far deeper than any schema. */
const mostLevels = 200

const [quote, backslash] = [0x22, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const utf8 = new TextDecoder('utf-8', { fatal: true })

export function parseJson(bytes: Uint8Array): Parsed<Json> {
  if (isDeeperThan(bytes, mostLevels)) return refused(`exceeded max depth of ${mostLevels}`)
  try {
    const text = utf8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return parsed({ value, duplicates: duplicateFields(text) })
  } catch (error) {
    return refused(error instanceof Error ? error.message : 'unreadable')
  }
}

function isDeeperThan(bytes: Uint8Array, most: number): boolean {
  let [depth, isText] = [0, false]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (isText) {
      if (byte === backslash) at += 1
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      if (depth > most) return true
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1
  }
  return false
}
