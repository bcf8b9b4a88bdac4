// What does kubectl make of a scalar? YAML 1.1 as its go-yaml v2 resolves it, and that as JSON.

/** An integer is a bigint and a float a number: as keys of a mapping they are spelt differently. */
export type Scalar = string | boolean | null | bigint | number

const spellings: readonly (readonly [Scalar, string])[] = [
  [true, 'y Y yes Yes YES true True TRUE on On ON'],
  [false, 'n N no No NO false False FALSE off Off OFF'],
  [null, '~ null Null NULL'],
  [Number.NaN, '.nan .NaN .NAN'],
  [Number.POSITIVE_INFINITY, '.inf .Inf .INF +.inf +.Inf +.INF'],
  [Number.NEGATIVE_INFINITY, '-.inf -.Inf -.INF'],
]
const words = new Map<string, Scalar>([
  ['', null],
  ...spellings.flatMap(([value, list]) => list.split(' ').map((word) => [word, value] as const)),
])
const mayBeMoreThanText = /^(?:$|[-+.\dyYnNtTfFoO~])/
const integerForm = /^([-+]?)(0[bB][01]+|0[oO]?[0-7]+|0[xX][\da-fA-F]+|0|[1-9]\d*)$/
const floatForm = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/

/** A timestamp stays text and base 60 is unknown, as in kubectl. */
export function plainScalar(text: string): Scalar {
  if (!mayBeMoreThanText.test(text)) return text
  const word = words.get(text)
  if (word !== undefined) return word
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '')
  const integer = integerOf(digits)
  if (integer !== undefined) return integer
  const float = floatForm.test(digits) ? Number(digits) : Number.NaN
  return Number.isFinite(float) ? float : text
}

/** What fits neither int64 nor uint64 is no integer: kubectl then tries it as a float. */
function integerOf(digits: string): bigint | undefined {
  // go-yaml takes a sign after 0b as well as before it.
  const [, sign, magnitude] = integerForm.exec(digits.replace(/^0b([-+])/, '$10b')) ?? []
  if (magnitude === undefined) return undefined
  const value = BigInt(/^0\d/.test(magnitude) ? `0o${magnitude.slice(1)}` : magnitude)
  if (sign === '-') return value <= 2n ** 63n ? -value : undefined
  return value < (sign === '+' ? 2n ** 63n : 2n ** 64n) ? value : undefined
}

/** A scalar with an explicit tag, quoted or not; undefined when the text is not of that kind. */
export function taggedScalar(tag: string, text: string): Scalar | undefined {
  const value = plainScalar(text)
  switch (tag.replace(/^!<tag:yaml\.org,2002:(.*)>$/, '!!$1')) {
    case '!!null':
      return value === null ? value : undefined
    case '!!bool':
      return typeof value === 'boolean' ? value : undefined
    case '!!int':
      return typeof value === 'bigint' ? value : undefined
    case '!!float':
      return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : undefined
    case '!!timestamp':
      return /^\d{4}-\d/.test(text) ? text : undefined
    case '!!binary':
      return decoded(text.replace(/[\r\n]/g, ''))
    default:
      return text
  }
}

function decoded(base64: string): string | undefined {
  const isBase64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(base64)
  return isBase64 ? Buffer.from(base64, 'base64').toString() : undefined
}

/** The value in JSON, undefined for what JSON does not have. Beyond 2^53 the nearest double. */
export function jsonOf(value: Scalar): string | boolean | null | number | undefined {
  if (typeof value !== 'bigint' && typeof value !== 'number') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return undefined
  return Object.is(number, -0) ? 0 : number
}

/** The value as a key of a JSON object, undefined for what kubectl refuses as a key. */
export function keyOf(value: Scalar): string | undefined {
  if (value === null) return undefined
  if (typeof value === 'bigint') return value < 2n ** 63n ? `${value}` : undefined
  return typeof value === 'number' ? float32Text(value) : `${value}`
}

/** Go's strconv.FormatFloat(value, 'g', -1, 32): the fewest digits that give the same float32. */
function float32Text(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  const single = Math.fround(value)
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf'
  let shortest = ''
  for (let digits = 0; digits < 9; digits++) {
    shortest = single.toExponential(digits)
    if (Math.fround(Number(shortest)) === single) break
  }
  const [mantissa = '', exponent = ''] = shortest.split('e')
  if (Number(exponent) >= -4 && Number(exponent) < 6) return `${Number(shortest)}`
  return `${mantissa}e${exponent.replace(/^([-+])(\d)$/, '$10$2')}`
}
