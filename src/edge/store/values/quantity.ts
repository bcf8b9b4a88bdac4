// How does Kubernetes write a quantity such as "0.5" or "1024Mi"? As its resource.Quantity.

type Format = 'decimal' | 'binary' | 'exponent'
type Unit = { readonly format: Format; readonly exponent: number }
/** mantissa × 10^scale */
type Amount = { readonly mantissa: bigint; readonly scale: number }

/** Undefined if the text is not a quantity. */
export function canonicalQuantity(text: string): string | undefined {
  if (text.length > maxLength) return undefined
  const [, sign = '', digits = '', , fraction = '', suffix = ''] = grammar.exec(text) ?? []
  const unit = unitOf(suffix)
  if (unit === undefined || digits + fraction === '') return undefined
  const whole = digits.replace(/^0+/, '') || '0'
  const shifted = whole + fraction
  const scale = (unit.format === 'binary' ? 0 : unit.exponent) - fraction.length
  if (isSmall(unit, whole, fraction) && isKept(unit, shifted, scale)) return text
  const factor = unit.format === 'binary' ? 1n << BigInt(unit.exponent) : 1n
  const amount = roundedUp({ mantissa: BigInt(shifted) * factor, scale })
  if (amount.mantissa === 0n) return '0'
  return (sign === '-' ? '-' : '') + written(amount, unit.format)
}

/** Longer than any sensible quantity; the regular expression backtracks. */
const maxLength = 100
const nano = -9
const grammar = /^([+-]?)(\d*)(\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/
const maxBinary = 2n ** 63n - 1n

const decimals = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binaries = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

function unitOf(suffix: string): Unit | undefined {
  const decimal = decimals.indexOf(suffix)
  if (decimal >= 0) return { format: 'decimal', exponent: nano + 3 * decimal }
  const binary = binaries.indexOf(suffix)
  if (binary >= 0) return { format: 'binary', exponent: 10 * binary }
  if (!/^[eE][+-]?\d{1,9}$/.test(suffix)) return undefined
  return { format: 'exponent', exponent: Number(suffix.slice(1)) }
}

/** Whether it fits an int64: only then Go keeps it as written. */
function isSmall({ format, exponent }: Unit, whole: string, fraction: string): boolean {
  if (format !== 'binary') return whole.length + fraction.length <= 18
  return fraction === '' && whole.length + Math.trunc((exponent * 3) / 10) <= 14
}

function isKept({ format }: Unit, shifted: string, scale: number): boolean {
  if (format === 'binary') return (BigInt(shifted) & 7n) !== 0n
  return scale >= nano && scale % 3 === 0 && !/^0|000$/.test(shifted)
}

/** Rounds up, so that a small amount never becomes zero. */
function roundedUp({ mantissa, scale }: Amount): Amount {
  if (scale >= nano || mantissa === 0n) return { mantissa, scale }
  const lost = nano - scale
  if (lost > 2 * maxLength) return { mantissa: 1n, scale: nano }
  const unit = 10n ** BigInt(lost)
  return { mantissa: (mantissa + unit - 1n) / unit, scale: nano }
}

function written(amount: Amount, format: Format): string {
  const whole = format === 'binary' ? wholeOf(amount) : undefined
  if (whole !== undefined && whole >= 1024n) {
    const [mantissa, times] = without(1024n, whole)
    return `${mantissa}${binaries[times]}`
  }
  const [bare, times] = without(10n, amount.mantissa)
  const exponent = Math.floor((amount.scale + times) / 3) * 3
  const mantissa = bare * 10n ** BigInt(amount.scale + times - exponent)
  if (format === 'exponent') return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`
  return `${mantissa}${decimals[(exponent - nano) / 3] ?? ''}`
}

/** Undefined for a fraction, which `Ki` cannot show. Limited to an int64. */
function wholeOf({ mantissa, scale }: Amount): bigint | undefined {
  const unit = 10n ** BigInt(-scale)
  if (mantissa > maxBinary * unit) return maxBinary
  return mantissa % unit === 0n ? mantissa / unit : undefined
}

function without(factor: bigint, value: bigint): readonly [rest: bigint, times: number] {
  let [rest, times] = [value, 0]
  for (; rest % factor === 0n; times += 1) rest /= factor
  return [rest, times]
}
