// How are managers written in metadata.managedFields?
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import { sameJson } from '../values/sameJson.ts'
import { isEmpty } from './fields/fieldSet.ts'
import { decodeFields, encodeFields } from './fields/fieldsV1.ts'
import { byTime, type Entry, identityOf, type Managers, nobody } from './managers.ts'

export const managedFieldsOf = ({ metadata }: JsonObject): unknown =>
  isRecord(metadata) ? metadata['managedFields'] : undefined

export function withoutManagers(object: JsonObject): JsonObject {
  if (!isRecord(object['metadata']) || managedFieldsOf(object) === undefined) return object
  const { managedFields: _, ...metadata } = object['metadata']
  return { ...object, metadata }
}

/** Without managers that own nothing; without any, the field is removed. */
export function withManagers(object: JsonObject, managers: Managers): JsonObject {
  const managedFields = encodeManagers(managers)
  if (managedFields.length === 0) return withoutManagers(object)
  const metadata = isRecord(object['metadata']) ? object['metadata'] : {}
  return { ...object, metadata: { ...metadata, managedFields } }
}

/** Keeps the old times if nothing else differs. */
export function withTimesOf(before: JsonObject, after: JsonObject): JsonObject {
  const [old, now] = [managedFieldsOf(before), managedFieldsOf(after)]
  if (!Array.isArray(old) || !Array.isArray(now)) return after
  const isSame =
    sameJson(old.map(withoutTime), now.map(withoutTime)) &&
    sameJson(withoutManagers(before), withoutManagers(after))
  if (!isSame || !isRecord(after['metadata'])) return after
  return { ...after, metadata: { ...after['metadata'], managedFields: old } }
}

function withoutTime(entry: unknown): unknown {
  if (!isRecord(entry)) return entry
  const { time: _, ...rest } = entry
  return rest
}

/** Undefined if an entry cannot be read. */
export function decodeManagers(managedFields: unknown): Managers | undefined {
  if (managedFields === undefined || managedFields === null) return nobody
  if (!Array.isArray(managedFields)) return undefined
  const managers = new Map<string, Entry>()
  for (const json of managedFields) {
    const entry = decodeEntry(json)
    if (entry === undefined) return undefined
    managers.set(identityOf(entry), entry)
  }
  return managers
}

function decodeEntry(json: unknown): Entry | undefined {
  if (!isRecord(json)) return undefined
  const { operation, fieldsType } = json
  const [apiVersion, fields] = [textIn(json, 'apiVersion'), decodeFields(json['fieldsV1'])]
  if (operation !== 'Apply' && operation !== 'Update') return undefined
  if (apiVersion === '' || fieldsType !== 'FieldsV1' || fields === undefined) return undefined
  return {
    manager: textIn(json, 'manager'),
    operation,
    apiVersion,
    subresource: textIn(json, 'subresource'),
    time: textIn(json, 'time') || undefined,
    fields,
  }
}

const textIn = (json: JsonObject, name: string): string =>
  typeof json[name] === 'string' ? json[name] : ''

/** Managers that apply first, then by time and name. */
const encodeManagers = (managers: Managers): readonly JsonObject[] =>
  [...managers.values()]
    .filter(({ fields }) => !isEmpty(fields))
    .sort(inTheirOrder)
    .map(({ manager, operation, apiVersion, time, fields, subresource }) => ({
      ...(manager === '' ? {} : { manager }),
      operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: encodeFields(fields),
      ...(subresource === '' ? {} : { subresource }),
    }))

const inTheirOrder = (one: Entry, other: Entry): number =>
  compareText(one.operation, other.operation) ||
  byTime(one, other) ||
  compareText(one.manager, other.manager) ||
  compareText(one.apiVersion, other.apiVersion) ||
  compareText(one.subresource, other.subresource)

export const compareText = (one: string, other: string): number =>
  one === other ? 0 : one < other ? -1 : 1
