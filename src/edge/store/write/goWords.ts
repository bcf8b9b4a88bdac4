// How does Go report a value of the wrong type? As its JSON decoder does, or as the converter that
// reads the result of a strategic patch.

type Misfit = {
  readonly value: unknown
  /** The Go type, such as `int32` or `[]v1.ServicePort`. */
  readonly goType: string
  /** The type that has the field, and the path of the field. */
  readonly owner: string
  readonly fields: string
  /** For a type with its own JSON decoder, such as a time or a port. */
  readonly readsItself: boolean
}
export type Words = {
  readonly misfit: (misfit: Misfit) => string
  readonly noBase64: (why: string) => string
}

export const reading: Words = {
  misfit({ value, goType, owner, fields }) {
    return unmarshalled(value, `Go struct field ${owner}.${fields} of type ${goType}`, goType)
  },
  noBase64: (why) => why,
}

export const converting: Words = {
  misfit({ value, goType, readsItself }) {
    if (readsItself) return unmarshalled(value, `Go value of type ${goType}`, goType)
    const found = inGo(value)
    if (goType === 'map') return `cannot restore map from ${found}`
    if (goType.startsWith('[]')) return `cannot restore slice from ${found}`
    if (goType.startsWith('v1.')) return `cannot restore struct from: ${found}`
    // Go could convert it, but JSON has another meaning for it.
    const isConvertible =
      (found === 'int64' && goType === 'string') || (found === 'float64' && isInteger(goType))
    return isConvertible ? `cannot convert ${found} to ${goType}` : `unrecognized type: ${goType}`
  },
  noBase64: (why) => `error decoding from json: ${why}`,
}

/** Shows a number that does not fit. */
function unmarshalled(value: unknown, into: string, goType: string): string {
  const shown = isInteger(goType) && typeof value === 'number' ? ` ${value}` : ''
  return `json: cannot unmarshal ${inJson(value)}${shown} into ${into}`
}

const isInteger = (goType: string): boolean => goType === 'int32' || goType === 'int64'

function inJson(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function inGo(value: unknown): string {
  if (Array.isArray(value)) return 'slice'
  if (typeof value === 'object') return 'map'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return inJson(value)
}
