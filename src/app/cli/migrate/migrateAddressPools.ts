// berth migrate addresspools: prints the AddressPools of MetalLB 0.12 as pools and advertisements.
import { type Json, recordAt, textAt } from '../../../core/model/json.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import { readManifests } from '../../../edge/manifests/readManifests.ts'
import type { Exit, Io } from '../io.ts'
import { placeText } from '../placeText.ts'
import { convertLegacy, failed } from './migrateConfigMap.ts'

export async function migrateAddressPools(file: string, io: Io): Promise<Exit> {
  const pools: Json[] = []
  const wrong: string[] = []
  let namespace = ''
  for await (const read of readManifests([file], io.stdin)) {
    if (!read.ok) {
      const { source, why } = read.unreadable
      wrong.push(`${placeText(source)}: ${why}`)
      continue
    }
    const { json } = read.manifest
    if (textAt(json, 'kind') !== 'AddressPool') continue
    const metadata = recordAt(json, 'metadata')
    namespace ||= textAt(metadata, 'namespace')
    pools.push({ name: metadata['name'], ...asInConfigMap(recordAt(json, 'spec')) })
  }
  if (wrong.length > 0) return failed(wrong, io)
  if (pools.length === 0) return failed([`${file} has no AddressPool`], io)
  const heading = '# Made from MetalLB AddressPools by berth migrate addresspools.\n'
  return convertLegacy({ 'address-pools': pools }, { namespace, heading }, io)
}

const poolFields = { autoAssign: 'auto-assign', bgpAdvertisements: 'bgp-advertisements' } as const
const advertisementFields = {
  aggregationLength: 'aggregation-length',
  aggregationLengthV6: 'aggregation-length-v6',
  localPref: 'localpref',
} as const

/** The same words as in a ConfigMap, spelt as there. */
function asInConfigMap(spec: Json): Json {
  const { bgpAdvertisements: written } = spec
  const advertisements = Array.isArray(written)
    ? written.map((one) => (isRecord(one) ? respelt({ ...one }, advertisementFields) : one))
    : written
  return respelt({ ...spec, bgpAdvertisements: advertisements }, poolFields)
}

const respelt = (json: Json, names: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(json)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [names[name] ?? name, value]),
  )
