// Are the names of a definition valid and complete?
import type { FieldError } from '../../../../core/model/admission.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { invalid } from '../../../kube/schema/schemaMessages.ts'
import { textOf, textsOf } from '../../values/jsonRead.ts'
import { dnsLabel1035 } from '../names.ts'

const path = 'spec.names'
const all = ['plural', 'singular', 'kind', 'listKind']

export function checkNames(names: JsonObject): readonly FieldError[] {
  const missing = all
    .filter((name) => textOf(names[name]) === '')
    .map((name) => ({ path: `${path}.${name}`, message: 'Required value' }))
  const { kind, listKind } = names
  const isSame = textOf(kind) !== '' && kind === listKind
  return [
    ...missing,
    ...all.flatMap((name) => checkName(`${path}.${name}`, textOf(names[name]), name)),
    ...checkEach(names, 'shortNames'),
    ...(isSame
      ? [invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...checkEach(names, 'categories'),
  ]
}

function checkName(at: string, text: string, name: string): readonly FieldError[] {
  const isKind = name === 'kind' || name === 'listKind'
  const wrong = text === '' ? [] : dnsLabel1035(isKind ? text.toLowerCase() : text)
  if (wrong.length === 0) return []
  const mixed = isKind ? 'may have mixed case, but should otherwise match: ' : ''
  return [invalid(at, text, `${mixed}${wrong.join(',')}`)]
}

const checkEach = (names: JsonObject, list: string): readonly FieldError[] =>
  textsOf(names[list]).flatMap((text, index) => {
    const wrong = dnsLabel1035(text)
    return wrong.length === 0 ? [] : [invalid(`${path}.${list}[${index}]`, text, wrong.join(','))]
  })
