// Which resources does a MetalLB ConfigMap become (M8.2)? The same as by MetalLB's converter, in
// its order, with notes on what is lost.
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { walkSchema } from '../../../edge/kube/schema/schema.ts'
import { nameOf, renamings } from './legacyNames.ts'
import { peerSpec, present } from './legacyPeer.ts'
import { legacySchema } from './legacySchema.ts'

type Draft = { readonly kind: string; readonly name: string; readonly spec: object }
export type LegacyResource = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace: string }
  readonly spec: object
}
type Converted = {
  readonly resources: readonly LegacyResource[]
  /** For the user who applies them. */
  readonly notes: readonly string[]
  /** If there is one, no resources are printed. */
  readonly errors: readonly string[]
}

export function fromConfigMap(config: unknown, namespace: string): Converted {
  const walked = walkSchema(legacySchema, config ?? {})
  const unfit = walked.errors.map(({ path, message }) => `${path}: ${message}`)
  if (unfit.length > 0) return { resources: [], notes: [], errors: unfit }
  const legacy = new Fields(walked.value, [])
  const renamed = renamings(legacy)
  const peers = peersOf(legacy)
  const errors = [...renamed.errors, ...peers.errors]
  const pools = legacy.each('address-pools')
  const drafts = [
    ...peers.drafts,
    ...pools.map(poolOf),
    ...numbered('BGPAdvertisement', pools.flatMap(bgpSpecs)),
    ...numbered('L2Advertisement', pools.filter(isLayer2).map(pooled)),
    ...legacy.each('bfd-profiles').map(profileOf),
    ...communitiesOf(legacy),
  ]
  const dropped = walked.unknownFields.map((path) => `${path} is not a field of MetalLB: left out`)
  return {
    resources: errors.length > 0 ? [] : drafts.map((draft) => inNamespace(draft, namespace)),
    notes: [...dropped, ...renamed.notes, ...pools.flatMap(silentNote)],
    errors,
  }
}

function inNamespace({ kind, name, spec }: Draft, namespace: string): LegacyResource {
  const version = kind === 'BGPPeer' ? 'v1beta2' : 'v1beta1'
  return { apiVersion: `metallb.io/${version}`, kind, metadata: { name, namespace }, spec }
}

function peersOf(legacy: Fields): { drafts: Draft[]; errors: string[] } {
  const [drafts, errors]: [Draft[], string[]] = [[], []]
  for (const [at, peer] of legacy.each('peers').entries()) {
    const spec = peerSpec(peer)
    if (spec.ok) drafts.push({ kind: 'BGPPeer', name: `peer${at + 1}`, spec: spec.value })
    else errors.push(`peers[${at}]: ${spec.why}`)
  }
  return { drafts, errors }
}

function poolOf(pool: Fields): Draft {
  const spec = {
    addresses: pool.texts('addresses'),
    ...(pool.has('auto-assign') ? { autoAssign: pool.flag('auto-assign') } : {}),
    ...present({ avoidBuggyIPs: pool.flag('avoid-buggy-ips') }),
  }
  return { kind: 'IPAddressPool', name: nameOf(pool.text('name')), spec }
}

const pooled = (pool: Fields): object => ({ ipAddressPools: [nameOf(pool.text('name'))] })
const isLayer2 = (pool: Fields): boolean => pool.text('protocol') === 'layer2'

/** The advertisements in the pool, whatever its protocol; without any, a default one for BGP. */
function bgpSpecs(pool: Fields): object[] {
  const written = pool.each('bgp-advertisements')
  if (written.length === 0) return pool.text('protocol') === 'bgp' ? [pooled(pool)] : []
  return written.map((one) => ({
    ...present({
      aggregationLength: one.number('aggregation-length'),
      aggregationLengthV6: one.number('aggregation-length-v6'),
      communities: one.texts('communities'),
    }),
    ...pooled(pool),
    ...present({ localPref: one.number('localpref') || undefined }),
  }))
}

/** MetalLB's converter ignores such a pool silently. */
function silentNote(pool: Fields): string[] {
  const protocol = pool.text('protocol')
  const isAnnounced = isLayer2(pool) || bgpSpecs(pool).length > 0
  if (isAnnounced) return []
  const said = `pool ${pool.text('name')} has the protocol ${JSON.stringify(protocol)}`
  return [`${said}, neither layer2 nor bgp: nothing will announce it`]
}

function profileOf(profile: Fields): Draft {
  const spec = {
    ...present({
      detectMultiplier: profile.number('detect-multiplier'),
      echoInterval: profile.number('echo-interval'),
    }),
    echoMode: profile.flag('echo-mode') ?? false,
    ...present({ minimumTtl: profile.number('minimum-ttl') }),
    passiveMode: profile.flag('passive-mode') ?? false,
    ...present({
      receiveInterval: profile.number('receive-interval'),
      transmitInterval: profile.number('transmit-interval'),
    }),
  }
  return { kind: 'BFDProfile', name: nameOf(profile.text('name')), spec }
}

function communitiesOf(legacy: Fields): Draft[] {
  const written = legacy.labels('bgp-communities')
  const communities = Object.keys(written)
    .sort()
    .map((name) => ({ name, value: written[name] }))
  if (communities.length === 0) return []
  return [{ kind: 'Community', name: 'communities', spec: { communities } }]
}

const numbered = (kind: string, specs: readonly object[]): Draft[] =>
  specs.map((spec, at) => ({ kind, name: `${kind.toLowerCase()}${at + 1}`, spec }))
