// Which labels does the text of a label selector select? Syntax and refusals as in Kubernetes.
import type { Labels } from '../../../core/model/selector.ts'
import { type Parsed, parsed, refused } from '../../../core/net/parsed.ts'
import { labelValue, qualifiedName } from '../write/names.ts'

type Operator = 'exists' | '!' | 'in' | 'notin' | '=' | '==' | '!=' | '>' | '<'
export type LabelRequirement = {
  readonly key: string
  readonly operator: Operator
  readonly values: readonly string[]
}

/** No requirements select everything. */
export function parseLabelSelector(text: string): Parsed<readonly LabelRequirement[]> {
  const tokens = new Tokens(text)
  const found: LabelRequirement[] = []
  if (tokens.peek() === '') return parsed(found)
  if (!beginsRequirement(tokens.peek())) {
    return expected(tokens.peek(), "!, identifier, or 'end of string'")
  }
  for (;;) {
    const requirement = readRequirement(tokens)
    if (!requirement.ok) return refused(`unable to parse requirement: ${requirement.why}`)
    found.push(requirement.value)
    const separator = tokens.take()
    if (separator === '') return parsed(found)
    if (separator !== ',') return expected(separator, "',' or 'end of string'")
    if (!beginsRequirement(tokens.peek())) {
      return expected(tokens.peek(), "identifier after ','")
    }
  }
}

export const meetsLabels = (all: readonly LabelRequirement[], labels: Labels): boolean =>
  all.every((requirement) => meets(requirement, labels))

function meets({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  if (operator === '!') return value === undefined
  if (operator === 'notin' || operator === '!=') {
    return value === undefined || !values.includes(value)
  }
  if (value === undefined || operator === 'exists') return value !== undefined
  if (operator !== '>' && operator !== '<') return values.includes(value)
  const [bound = ''] = values
  if (!isWhole(value)) return false
  return operator === '>' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound)
}

const symbols = ['==', '!=', '=', '!', '(', ')', ',', '>', '<']
const isWord = (token: string): boolean => token !== '' && !symbols.includes(token)
const beginsRequirement = (token: string): boolean => token === '!' || isWord(token)
const expected = (token: string, what: string): Parsed<never> =>
  refused(`found '${token}', expected: ${what}`)

/** Returns the empty token at the end, however often it is called. */
class Tokens {
  readonly #all: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#all = text.match(/==|!=|[=!(),<>]|[^=!(),<> \t\r\n]+/g) ?? []
  }

  peek(): string {
    return this.#all[this.#at] ?? ''
  }

  take(): string {
    const token = this.peek()
    this.#at += 1
    return token
  }
}

function readRequirement(tokens: Tokens): Parsed<LabelRequirement> {
  const isNegated = tokens.peek() === '!'
  if (isNegated) tokens.take()
  const key = tokens.take()
  if (!isWord(key)) return expected(key, 'identifier')
  const wrong = qualifiedName(key).join('; ')
  if (wrong !== '') return refused(`<nil>: Invalid value: ${quoted(key)}: ${wrong}`)
  if (isNegated) return parsed({ key, operator: '!', values: [] })
  if (tokens.peek() === '' || tokens.peek() === ',') {
    return parsed({ key, operator: 'exists', values: [] })
  }
  const operator = operatorOf(tokens.take())
  if (!operator.ok) return operator
  const isSet = operator.value === 'in' || operator.value === 'notin'
  const values = isSet ? readSet(tokens) : readValue(tokens)
  if (!values.ok) return values
  return checked({ key, operator: operator.value, values: values.value })
}

function operatorOf(token: string): Parsed<Operator> {
  switch (token) {
    case 'in':
    case 'notin':
    case '=':
    case '==':
    case '!=':
    case '>':
    case '<':
      return parsed(token)
    default:
      return expected(token, 'in, notin, =, ==, !=, gt, lt')
  }
}

/** `a=` selects the empty value. */
function readValue(tokens: Tokens): Parsed<readonly string[]> {
  if (tokens.peek() === '' || tokens.peek() === ',') return parsed([''])
  const value = tokens.take()
  return isWord(value) ? parsed([value]) : expected(value, 'identifier')
}

/** Two commas, or a comma before a parenthesis, enclose an empty value. */
function readSet(tokens: Tokens): Parsed<readonly string[]> {
  const open = tokens.take()
  if (open !== '(') return refused(`found '${open}' expected: '('`)
  const values = new Set<string>()
  const first = tokens.peek()
  if (first !== ')' && first !== ',' && !isWord(first)) {
    return expected(first, "',', ')' or identifier")
  }
  for (;;) {
    const value = isWord(tokens.peek()) ? tokens.take() : ''
    values.add(value)
    const separator = tokens.take()
    if (separator === ')') return parsed([...values].sort())
    if (separator !== ',') {
      return expected(separator, value === '' ? "',', or identifier" : "',' or ')'")
    }
  }
}

function checked(requirement: LabelRequirement): Parsed<LabelRequirement> {
  const { key, operator, values } = requirement
  const isCompared = operator === '>' || operator === '<'
  const wrong = values.flatMap((value, index) => {
    const words = labelValue(value).join('; ')
    const said = `Invalid value: ${quoted(value)}`
    return [
      ...(isCompared && !isWhole(value) ? [`values[${index}]: ${said}: ${noNumber}`] : []),
      ...(words === '' ? [] : [`values[${index}][${key}]: ${said}: ${words}`]),
    ]
  })
  if (wrong.length === 0) return parsed(requirement)
  return refused(wrong.length === 1 ? wrong.join() : `[${wrong.join(', ')}]`)
}

const noNumber = "for 'Gt', 'Lt' operators, the value must be an integer"
const isWhole = (text: string): boolean => /^-?\d+$/.test(text)
const quoted = (text: string): string => JSON.stringify(text)
