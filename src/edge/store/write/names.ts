// Which names and labels are valid, and how does Kubernetes refuse others?

/** What is wrong with a text; empty if it is valid. */
export type Form = (text: string) => readonly string[]

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`
const label1035Pattern = '[a-z]([-a-z0-9]*[a-z0-9])?'
const keyPattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const valuePattern = `(${keyPattern})?`

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`)
const label = whole(labelPattern)
const subdomain = whole(subdomainPattern)
const label1035 = whole(label1035Pattern)
const key = whole(keyPattern)
const value = whole(valuePattern)

/** Both spaces are in the message of Kubernetes. */
function mismatch(words: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ')
  return `${words} (e.g. ${shown}regex used for validation is '${pattern}')`
}
type Unit = 'bytes' | 'characters'

/** Always bytes, although older checks of Kubernetes call them characters. */
const tooLong = (text: string, most: number, unit: Unit): readonly string[] =>
  Buffer.byteLength(text) > most ? [`must be no more than ${most} ${unit}`] : []

const ofSubdomain = mismatch(
  'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, ' +
    "'-' or '.', and must start and end with an alphanumeric character",
  subdomainPattern,
  'example.com',
)
export const dnsSubdomain: Form = (text) => subdomainIn(text, 'characters')

const subdomainIn = (text: string, unit: Unit): readonly string[] => [
  ...tooLong(text, 253, unit),
  ...(subdomain.test(text) ? [] : [ofSubdomain]),
]

const ofLabel = mismatch(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', " +
    'and must start and end with an alphanumeric character',
  labelPattern,
  'my-name',
  '123-abc',
)
export const dnsLabel: Form = (text) => {
  const errors = tooLong(text, 63, 'characters')
  if (label.test(text)) return errors
  return [...errors, subdomain.test(text) ? 'must not contain dots' : ofLabel]
}

const ofLabel1035 = mismatch(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an " +
    'alphabetic character, and end with an alphanumeric character',
  label1035Pattern,
  'my-name',
  'abc-123',
)
export const dnsLabel1035: Form = (text) => [
  ...tooLong(text, 63, 'characters'),
  ...(label1035.test(text) ? [] : [ofLabel1035]),
]

const ofKey = mismatch(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
    'alphanumeric character',
  keyPattern,
  'MyName',
  'my.name',
  '123-abc',
)
/** The key of a label or annotation, or a finalizer: a name with an optional domain. */
export const qualifiedName: Form = (text) => {
  const parts = text.split('/')
  const name = parts.at(-1) ?? ''
  if (parts.length > 2) {
    const form = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
    return [`a valid label key ${ofKey} ${form}`]
  }
  const errors: string[] = []
  if (parts.length === 2) {
    const [prefix = ''] = parts
    const wrong = prefix === '' ? ['must be non-empty'] : subdomainIn(prefix, 'bytes')
    errors.push(...wrong.map((why) => `prefix part ${why}`))
  }
  if (name === '') errors.push('name part must be non-empty')
  else errors.push(...tooLong(name, 63, 'bytes').map((why) => `name part ${why}`))
  if (!key.test(name)) errors.push(`name part ${ofKey}`)
  return errors
}

const ofValue = mismatch(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
    'and must start and end with an alphanumeric character',
  valuePattern,
  'MyValue',
  'my_value',
  '12345',
)
export const labelValue: Form = (text) => [
  ...tooLong(text, 63, 'bytes'),
  ...(value.test(text) ? [] : [ofValue]),
]

/** A name that can be part of a URL path. */
export const pathSegment: Form = (text) => {
  if (text === '.' || text === '..') return [`may not be '${text}'`]
  return ['/', '%'].filter((sign) => text.includes(sign)).map((sign) => `may not contain '${sign}'`)
}
