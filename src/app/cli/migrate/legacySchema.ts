// Which fields can a MetalLB ConfigMap have (M8.2)? Those of its key `config`, up to release 0.12.
import type { Schema } from '../../../edge/kube/schema/schema.ts'
import { flag, listOf, mapOf, text } from '../../../edge/kube/schema/schemaParts.ts'

const unsigned = (bits: number): Schema => ({
  type: 'integer',
  format: 'int64',
  minimum: 0,
  maximum: 2 ** bits - 1,
})
/** Other fields are reported and left out; a field without a value counts as absent. */
const closed = (fields: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, { ...schema, nullable: true }]),
  ),
})

const requirement = closed({ key: text, operator: text, values: listOf(text) })
const peer = closed({
  'my-asn': unsigned(32),
  'peer-asn': unsigned(32),
  'peer-address': text,
  'source-address': text,
  'peer-port': unsigned(16),
  'hold-time': text,
  'keepalive-time': text,
  'router-id': text,
  'node-selectors': listOf(
    closed({ 'match-labels': mapOf(text), 'match-expressions': listOf(requirement) }),
  ),
  password: text,
  'bfd-profile': text,
  'ebgp-multihop': flag,
})
const bgpAdvertisement = closed({
  'aggregation-length': unsigned(31),
  'aggregation-length-v6': unsigned(31),
  localpref: unsigned(32),
  communities: listOf(text),
})
const pool = closed({
  protocol: text,
  name: text,
  addresses: listOf(text),
  'auto-assign': flag,
  'avoid-buggy-ips': flag,
  'bgp-advertisements': listOf(bgpAdvertisement),
})
const bfdProfile = closed({
  name: text,
  'receive-interval': unsigned(32),
  'transmit-interval': unsigned(32),
  'detect-multiplier': unsigned(32),
  'echo-interval': unsigned(32),
  'echo-mode': flag,
  'passive-mode': flag,
  'minimum-ttl': unsigned(32),
})

export const legacySchema: Schema = closed({
  peers: listOf(peer),
  'bgp-communities': mapOf(text),
  'address-pools': listOf(pool),
  'bfd-profiles': listOf(bfdProfile),
})
