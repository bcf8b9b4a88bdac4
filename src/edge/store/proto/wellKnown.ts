// Which messages have a JSON form of their own? Times, quantities, named ports, managed fields.

import type { JsonObject } from '../../../core/model/gate.ts'
import { counted } from '../../../core/net/counted.ts'
import { canonicalQuantity } from '../values/quantity.ts'
import type { Reading } from './wire.ts'

/** Undefined if Go writes null. */
type Special = (json: JsonObject, reading: Reading) => unknown

export const wellKnown: Readonly<Record<string, Special>> = {
  ExtraValue: ({ items = [] }) => items,
  FieldsV1: ({ raw }, reading) =>
    raw instanceof Uint8Array && raw.length > 0 ? readJson('fieldsV1', raw, reading) : undefined,
  IntOrString: ({ type, intVal, strVal }, reading) => {
    if (type !== 0 && type !== 1) reading.fail(`impossible IntOrString.Type ${type}`)
    return type === 0 ? intVal : strVal
  },
  JSON: ({ raw }, reading) =>
    raw instanceof Uint8Array && raw.length > 0 ? readJson('a value', raw, reading) : null,
  JSONSchemaPropsOrArray: ({ schemas, schema }) => schemas ?? schema,
  JSONSchemaPropsOrBool: ({ allows, schema }) => schema ?? allows,
  JSONSchemaPropsOrStringArray: ({ property, schema }) => property ?? schema,
  MicroTime: (json, reading) => timeText(json, reading),
  Quantity: ({ string = '0' }, reading) => {
    const text = typeof string === 'string' ? canonicalQuantity(string) : undefined
    if (text === undefined) reading.fail(notAQuantity)
    return text
  },
  Time: ({ seconds }, reading) => timeText({ seconds }, reading)?.replace('.000000Z', 'Z'),
}

const notAQuantity =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

/** Go's zero time, and the first and the last second that RFC 3339 can write. */
const zeroTime = -62_135_596_800
const [firstSecond, lastSecond] = [-62_167_219_200, 253_402_300_799]

function timeText({ seconds, nanos }: JsonObject, reading: Reading): string | undefined {
  if (typeof seconds !== 'number') return undefined
  const micros = typeof nanos === 'number' ? Math.trunc(nanos / 1000) : 0
  const second = seconds + Math.floor(micros / 1_000_000)
  const rest = micros - (second - seconds) * 1_000_000
  if (second === zeroTime && rest === 0) return undefined
  if (second < firstSecond || second > lastSecond) {
    reading.fail(`time of ${counted(seconds, 'second')} is outside the years 0 to 9999`)
    return undefined
  }
  return new Date(second * 1000)
    .toISOString()
    .replace('000Z', `${rest}`.padStart(6, '0').concat('Z'))
}

const deepest = 100

function readJson(what: string, bytes: Uint8Array, reading: Reading): unknown {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (isShallow(json, deepest)) return json
    reading.fail(`${what} is nested more than ${deepest} deep`)
  } catch (error) {
    reading.fail(`${what} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
  return undefined
}

function isShallow(json: unknown, depthLeft: number): boolean {
  if (typeof json !== 'object' || json === null) return true
  return depthLeft > 0 && Object.values(json).every((value) => isShallow(value, depthLeft - 1))
}
