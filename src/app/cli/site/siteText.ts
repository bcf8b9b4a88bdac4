// How is a Site told to people?
import { type Json, recordAt, textAt } from '../../../core/model/json.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'

export const moveText = (state: string, commitBy: string): string =>
  ({
    Settled: 'none',
    Pending: `waits to be committed, and is taken back at ${commitBy}`,
    RolledBack: `was rolled back at ${commitBy}, because it was not committed`,
  })[state] ?? state

export function readyText(status: Json): string {
  const ready = listIn(status, 'conditions').find((one) => one['type'] === 'Ready')
  if (ready === undefined) return 'unknown: no controller has seen it yet'
  const message = textAt(ready, 'message')
  const answer = textAt(ready, 'status') === 'True' ? 'yes' : `no, ${textAt(ready, 'reason')}`
  return message === '' ? answer : `${answer}: ${message}`
}

export function objectText(one: Json): string {
  const name = [textAt(one, 'kind'), textAt(one, 'namespace'), textAt(one, 'name')]
  const message = textAt(one, 'message')
  const said = message === '' ? '' : `: ${message}`
  return `${name.filter((part) => part !== '').join('/')} ${textAt(one, 'state')}${said}`
}

export const listIn = (json: Json, name: string): readonly Json[] => {
  const list = json[name]
  return Array.isArray(list) ? list.filter(isRecord).map((one) => ({ ...one })) : []
}

export function pairText(external: Json): string {
  const one = `API ${textAt(external, 'apiVIP')}, ingress ${textAt(external, 'ingressVIP')}`
  const second = recordAt(external, 'secondary')
  if (textAt(second, 'apiVIP') === '') return one
  return `${one}; API ${textAt(second, 'apiVIP')}, ingress ${textAt(second, 'ingressVIP')}`
}
