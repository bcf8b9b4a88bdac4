// What has to be sent to make one object of another? A JSON merge patch (RFC 7386).
import { includes, isRecord } from './json.ts'

/** With null for what is gone; undefined where nothing differs. */
export function mergePatch(before: unknown, after: unknown): unknown {
  if (!isRecord(after)) return isEqual(before, after) ? undefined : after
  const known = isRecord(before) ? before : {}
  const names = new Set([...Object.keys(known), ...Object.keys(after)])
  const changes = [...names].flatMap((name) => {
    const [was, is] = [known[name] ?? undefined, after[name] ?? undefined]
    const change = is === undefined && was !== undefined ? null : mergePatch(was, is)
    return change === undefined ? [] : [[name, change] as const]
  })
  if (changes.length > 0) return Object.fromEntries(changes)
  return isRecord(before) ? undefined : {}
}

const isEqual = (one: unknown, other: unknown): boolean =>
  includes(one, other) && includes(other, one)
