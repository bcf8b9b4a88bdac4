// How are plain objects read, copied and merged? As kubectl apply does: what the last manifest said
// and the new one does not is gone, what others wrote stays.

export type Json = { [key: string]: unknown }

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const recordAt = (json: unknown, key: string): Json => {
  const value = isRecord(json) ? json[key] : undefined
  return isRecord(value) ? value : {}
}

export const textAt = (json: unknown, key: string): string => {
  const value = isRecord(json) ? json[key] : undefined
  return typeof value === 'string' ? value : ''
}

export const textsAt = (json: unknown, key: string): string[] => {
  const value = isRecord(json) ? json[key] : undefined
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function merged(existing: unknown, last: unknown, manifest: unknown): unknown {
  if (!isRecord(manifest)) return manifest
  const result: Json = isRecord(existing) ? { ...existing } : {}
  for (const key of isRecord(last) ? Object.keys(last) : []) {
    if (!(key in manifest)) delete result[key]
  }
  for (const [key, value] of Object.entries(manifest)) {
    result[key] = merged(result[key], isRecord(last) ? last[key] : undefined, value)
  }
  return result
}

/** Whether every field of `wanted` stands in `json`; lists must be equal in full. */
export function includes(json: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(json) &&
      json.length === wanted.length &&
      wanted.every((item, index) => includes(json[index], item))
    )
  }
  if (!isRecord(wanted)) return json === wanted
  return isRecord(json) && Object.keys(wanted).every((key) => includes(json[key], wanted[key]))
}
