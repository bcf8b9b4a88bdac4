// How is an object to be written? The query parameters of a write, and their refusals.
import { longestName, managerName, unprintable } from '../patch/managerName.ts'
import { type Cause, done, type Outcome } from '../values/status.ts'
import type { WriteOptions } from '../write/asked.ts'
import { invalidOptions } from './refusals.ts'
import { isSet } from './target.ts'

type Kind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'
type Asked = {
  readonly kind: Kind
  readonly query: URLSearchParams
  readonly userAgent: string
  readonly isApply: boolean
}

export function writeOptions({ kind, query, userAgent, isApply }: Asked): Outcome<WriteOptions> {
  const manager = query.get('fieldManager') ?? ''
  const validation = query.get('fieldValidation') ?? ''
  const isForced = isSet(query.get('force'))
  const wrong: Required<Cause>[] = []
  if (kind === 'PatchOptions') wrong.push(...wrongOfPatch(query, manager, isApply))
  wrong.push(...wrongManager(manager), ...wrongDryRun(query.getAll('dryRun')))
  const known = validationOf(validation)
  if (known === undefined) {
    const supported = 'supported values: "", "Ignore", "Strict", "Warn"'
    wrong.push({
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(validation)}: ${supported}`,
      field: 'fieldValidation',
    })
  }
  if (wrong.length > 0 || known === undefined) return invalidOptions(kind, wrong)
  return done({
    isDryRun: query.has('dryRun'),
    fieldManager: managerName(manager, userAgent),
    fieldValidation: known,
    isForced,
  })
}

function validationOf(text: string): WriteOptions['fieldValidation'] | undefined {
  if (text === '') return 'Warn'
  return text === 'Ignore' || text === 'Warn' || text === 'Strict' ? text : undefined
}

function wrongOfPatch(query: URLSearchParams, manager: string, isApply: boolean) {
  const wrong: Required<Cause>[] = []
  if (isApply && manager === '') {
    wrong.push({
      reason: 'FieldValueRequired',
      message: 'Required value: is required for apply patch',
      field: 'fieldManager',
    })
  }
  if (!isApply && query.has('force')) {
    wrong.push({
      reason: 'FieldValueForbidden',
      message: 'Forbidden: may not be specified for non-apply patch',
      field: 'force',
    })
  }
  return wrong
}

export function wrongDryRun(values: readonly string[]): readonly Required<Cause>[] {
  if (values.every((value) => value === 'All')) return []
  const message = `Unsupported value: ${JSON.stringify(values)}: supported values: "All"`
  return [{ reason: 'FieldValueNotSupported', message, field: 'dryRun' }]
}

function wrongManager(manager: string): readonly Required<Cause>[] {
  const field = 'fieldManager'
  if (Buffer.byteLength(manager) > longestName) {
    const message = `Too long: may not be more than ${longestName} bytes`
    return [{ reason: 'FieldValueTooLong', message, field }]
  }
  const at = [...manager].findIndex((sign) => unprintable.test(sign))
  if (at < 0) return []
  const code = [...manager][at]?.codePointAt(0) ?? 0
  const rune = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const said = `Invalid value: ${JSON.stringify(manager)}`
  const message = `${said}: invalid character ${rune} (at position ${at})`
  return [{ reason: 'FieldValueInvalid', message, field }]
}
