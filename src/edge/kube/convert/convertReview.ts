// How is a ConversionReview answered? With every object in the desired version, in order, or with
// none and the reason.
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields, isRecord } from '../decode/fields.ts'
import { toV1beta1, toV1beta2 } from './convertPeer.ts'

type Conversion = (peer: JsonObject) => JsonObject

/** By desired version. */
const conversions: ReadonlyMap<string, Conversion> = new Map([
  ['metallb.io/v1beta1', toV1beta1],
  ['metallb.io/v1beta2', toV1beta2],
])

/** Undefined if it is not a ConversionReview of apiextensions.k8s.io/v1. */
export function convertReview(json: unknown): JsonObject | undefined {
  const review = new Fields(json, [])
  const apiVersion = review.text('apiVersion')
  if (apiVersion !== 'apiextensions.k8s.io/v1' || review.text('kind') !== 'ConversionReview') {
    return undefined
  }
  const request = isRecord(json) && isRecord(json['request']) ? json['request'] : {}
  const { uid, desiredAPIVersion, objects } = request
  const wanted = typeof desiredAPIVersion === 'string' ? desiredAPIVersion : ''
  const converted = (Array.isArray(objects) ? objects : []).map((object) => convert(object, wanted))
  const failure = converted.find((one) => typeof one === 'string')
  const response =
    failure === undefined
      ? { uid, result: { status: 'Success' }, convertedObjects: converted }
      : { uid, result: { status: 'Failure', message: failure }, convertedObjects: [] }
  return { apiVersion, kind: 'ConversionReview', response }
}

/** The object, or why it cannot be converted. */
function convert(object: unknown, wanted: string): JsonObject | string {
  const { apiVersion = '', kind = '' } = isRecord(object) ? object : {}
  const conversion = conversions.get(wanted)
  const isKnown = kind === 'BGPPeer' && conversions.has(String(apiVersion))
  if (!isRecord(object) || conversion === undefined || !isKnown) {
    return `cannot convert ${apiVersion} ${kind} to ${wanted}`
  }
  return apiVersion === wanted ? object : conversion(object)
}
