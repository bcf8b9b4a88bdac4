// How is a BGPPeer of one version written in the other? v1beta1 has fewer fields: the others travel
// in an annotation, so that a client of v1beta1 loses nothing (M1.5, M12.2).
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../decode/fields.ts'
import { jsonText } from '../schema/schemaMessages.ts'
import { lifted as liftedSelectors, lowered as loweredSelectors } from './convertSelectors.ts'

const keptIn = 'berth.dev/bgppeer-v1beta2'

/** Fields with the same name and meaning in both versions; all others exist in v1beta2 only. */
const shared: ReadonlySet<string> = new Set([
  'myASN',
  'peerASN',
  'peerAddress',
  'sourceAddress',
  'peerPort',
  'holdTime',
  'keepaliveTime',
  'routerID',
  'nodeSelectors',
  'password',
  'bfdProfile',
  'ebgpMultiHop',
])
/** Defaults of the API server need not travel. */
const defaults = new Map<string, unknown>([
  ['disableMP', false],
  ['dualStackAddressFamily', false],
])
/** Pairs that exclude each other; v1beta1 has only the second of each. */
const instead = new Map([
  ['dynamicASN', 'peerASN'],
  ['interface', 'peerAddress'],
  ['passwordSecret', 'password'],
])

export function toV1beta1(peer: JsonObject): JsonObject {
  const spec = recordOf(peer['spec'])
  const kept = keptOf(spec)
  const note = Object.keys(kept).length === 0 ? undefined : JSON.stringify(kept)
  const metadata = noted(recordOf(peer['metadata']), note)
  return { ...peer, apiVersion: 'metallb.io/v1beta1', metadata, spec: lowered(spec) }
}

export function toV1beta2(peer: JsonObject): JsonObject {
  const metadata = recordOf(peer['metadata'])
  const kept = keptBy(recordOf(metadata['annotations'])[keptIn])
  const spec = lifted(recordOf(peer['spec']), kept)
  return { ...peer, apiVersion: 'metallb.io/v1beta2', metadata: noted(metadata, undefined), spec }
}

/** peerASN and peerAddress are required in v1beta1: zero and empty mean none, as in MetalLB. */
function lowered(spec: JsonObject): JsonObject {
  const carried = Object.entries(spec).filter(([name]) => shared.has(name))
  const fields = carried.map(([name, value]) => [
    name,
    name === 'nodeSelectors' ? loweredSelectors(value) : value,
  ])
  return { peerASN: 0, peerAddress: '', ...Object.fromEntries(fields) }
}

/**
 * The original field if v1beta1 still holds what was derived from it, otherwise v1beta1's value.
 */
function lifted(old: JsonObject, kept: JsonObject): JsonObject {
  const before = lowered(kept)
  const isUntouched = (name: string) => isSame(old[name], before[name])
  const fields = Object.keys(old).flatMap((name) => {
    if (!isUntouched(name)) return fieldOf(name, liftedField(name, old[name]))
    return Object.hasOwn(kept, name) ? fieldOf(name, kept[name]) : []
  })
  const isOverruled = (name: string) => {
    const other = instead.get(name)
    return other !== undefined && isGiven(old[other]) && !isUntouched(other)
  }
  const only = Object.entries(kept).filter(([name]) => !shared.has(name) && !isOverruled(name))
  return Object.fromEntries([...fields, ...only])
}

const fieldOf = (name: string, value: unknown): [string, unknown][] =>
  value === undefined ? [] : [[name, value]]

function liftedField(name: string, value: unknown): unknown {
  if (name === 'nodeSelectors') return liftedSelectors(value)
  // v1beta2 does not allow 0 and fills in the BGP port.
  return name === 'peerPort' && value === 0 ? undefined : value
}

/** The fields v1beta1 cannot express, and what is needed to see whether they still apply. */
function keptOf(spec: JsonObject): JsonObject {
  const back = lifted(lowered(spec), {})
  const beside = [...instead]
    .filter(([name]) => Object.hasOwn(spec, name))
    .map(([, other]) => other)
  const isKept = (name: string, value: unknown) => {
    if (shared.has(name)) return beside.includes(name) || !isSame(value, back[name])
    return !defaults.has(name) || value !== defaults.get(name)
  }
  return Object.fromEntries(Object.entries(spec).filter(([name, value]) => isKept(name, value)))
}

/** A broken note is ignored. */
function keptBy(note: unknown): JsonObject {
  try {
    return recordOf(typeof note === 'string' ? JSON.parse(note) : undefined)
  } catch {
    return {}
  }
}

function noted(metadata: JsonObject, note: string | undefined): JsonObject {
  const { annotations, ...rest } = metadata
  const { [keptIn]: _, ...others } = recordOf(annotations)
  const after = note === undefined ? others : { ...others, [keptIn]: note }
  return Object.keys(after).length === 0 ? rest : { ...rest, annotations: after }
}

const recordOf = (json: unknown): JsonObject => (isRecord(json) ? json : {})
const isSame = (one: unknown, other: unknown): boolean => jsonText(one) === jsonText(other)
const isGiven = (value: unknown): boolean => value !== undefined && value !== 0 && value !== ''
