// What is announced where? Advertisements, and the objects that they and peers refer to.
import type {
  BfdProfile,
  BgpAdvertisement,
  Community,
  L2Advertisement,
  NamespaceView,
  SecretView,
} from '../../../core/model/announcing.ts'
import { advertisementAnnotations } from '../../../core/model/bgpAnnotations.ts'
import { annotationsAmong, berth } from '../annotations.ts'
import { madeOf } from './decodeMaker.ts'
import { keyFrom, metaOf, namedOf, selectorOf, selectorsOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function decodeL2Advertisement(object: Fields): L2Advertisement {
  const spec = object.inner('spec')
  return {
    kind: 'L2Advertisement',
    ...namedOf(object),
    ...madeOf(object),
    ...selectionOf(spec),
    interfaces: spec.texts('interfaces'),
    preferred: spec.each('preferredNodeSelectors').map((preferred) => ({
      weight: preferred.number('weight') ?? 0,
      preference: selectorOf(preferred.inner('preference')),
    })),
  }
}

export function decodeBgpAdvertisement(object: Fields): BgpAdvertisement {
  const spec = object.inner('spec')
  const annotations = annotationsAmong(advertisementAnnotations, metaOf(object).annotations)
  return {
    kind: 'BGPAdvertisement',
    ...namedOf(object),
    ...madeOf(object),
    ...selectionOf(spec),
    aggregationLength: spec.number('aggregationLength') ?? 32,
    aggregationLengthV6: spec.number('aggregationLengthV6') ?? 128,
    localPref: spec.number('localPref') ?? 0,
    communities: spec.texts('communities'),
    peers: spec.texts('peers'),
    ...(annotations && { annotations }),
  }
}

const selectionOf = (spec: Fields) => ({
  pools: spec.texts('ipAddressPools'),
  poolSelectors: selectorsOf(spec, 'ipAddressPoolSelectors'),
  nodeSelectors: selectorsOf(spec, 'nodeSelectors'),
  serviceSelectors: selectorsOf(spec, 'serviceSelectors'),
})

export function decodeBfdProfile(object: Fields): BfdProfile {
  const spec = object.inner('spec')
  return {
    kind: 'BFDProfile',
    ...namedOf(object),
    receiveInterval: spec.number('receiveInterval'),
    transmitInterval: spec.number('transmitInterval'),
    detectMultiplier: spec.number('detectMultiplier'),
    echoInterval: spec.number('echoInterval'),
    echoMode: spec.flag('echoMode') ?? false,
    passiveMode: spec.flag('passiveMode') ?? false,
    minimumTtl: spec.number('minimumTtl'),
  }
}

export const decodeCommunity = (object: Fields): Community => ({
  kind: 'Community',
  ...namedOf(object),
  aliases: object
    .inner('spec')
    .each('communities')
    .map((alias) => ({ name: alias.text('name'), value: alias.text('value') })),
})

/** Only the names of its keys: the secret values are not kept. */
export function decodeSecret(object: Fields): SecretView {
  const keys = new Set([...object.inner('data').names(), ...object.inner('stringData').names()])
  const named = namedOf(object)
  return {
    kind: 'Secret',
    key: keyFrom(named.namespace, named.name),
    ...named,
    type: object.text('type') || 'Opaque',
    keys: [...keys].sort(),
  }
}

/** The API server labels every Namespace with its own name; files may lack the label. */
export function decodeNamespace(object: Fields): NamespaceView {
  const { name, labels, annotations } = metaOf(object)
  const wire = annotations[berth.wire] ?? ''
  return {
    kind: 'Namespace',
    name,
    labels: { ...labels, 'kubernetes.io/metadata.name': name },
    ...(wire === '' ? {} : { wire }),
    ...(object.inner('metadata').has('deletionTimestamp') && { isGoing: true }),
    ...(annotations[userIds] !== undefined && { hasUserIds: true as const }),
  }
}

/** Of OpenShift. */
const userIds = 'openshift.io/sa.scc.uid-range'
