// Which pods are announced, and by which routers? BGPConfiguration, Pod and FRRConfiguration. Pods
// and FRRConfigurations are not ours, so invalid parts are skipped.
import type {
  Attached,
  BgpConfiguration,
  FrrConfiguration,
  PodView,
  RouteOf,
} from '../../../core/model/podRoutes/podRoutes.ts'
import {
  openshiftFrrNamespace,
  predictableLabel,
  routeLabels,
} from '../../../core/model/podRoutes/routeLabels.ts'
import type { Labels } from '../../../core/model/selector.ts'
import { bitsOf, fromBigInt, parseIp } from '../../../core/net/ip.ts'
import { parsePrefix } from '../../../core/net/range.ts'
import { conditionsOf } from './decodeConditions.ts'
import { keyFrom, metaOf, selectorOf } from './decodeMeta.ts'
import { Fields } from './fields.ts'

function named(object: Fields) {
  const { name, namespace, createdAt } = metaOf(object)
  return { key: keyFrom(namespace, name), name, namespace, createdAt }
}

export function decodeBgpConfiguration(object: Fields): BgpConfiguration {
  const [metadata, spec] = [object.inner('metadata'), object.inner('spec')]
  return {
    kind: 'BGPConfiguration',
    ...named(object),
    uid: metadata.text('uid'),
    isGoing: metadata.has('deletionTimestamp'),
    finalizers: metadata.texts('finalizers'),
    frrNamespace: spec.text('frrConfigurationNamespace') || openshiftFrrNamespace,
    selectors: spec.each('frrNodeConfigurationSelector').map((one) => ({
      node: one.text('nodeName'),
      selector: selectorOf(one.inner('nodeSelector')),
    })),
    status: { conditions: conditionsOf(object.inner('status')) },
  }
}

const [asksKey, gotKey] = ['k8s.v1.cni.cncf.io/networks', 'k8s.v1.cni.cncf.io/network-status']
/** No pod has more interfaces, nor addresses; the rest of a longer list is not looked at. */
const [mostNetworks, mostAddresses] = [64, 64]
/** Longer ones are none: of their text so much is kept as tells which is meant. */
const [longestName, longestAddress] = [317, 64]

export function decodePod(object: Fields): PodView {
  const { labels, annotations, namespace } = metaOf(object)
  const isGoing = object.inner('metadata').has('deletionTimestamp')
  return {
    kind: 'Pod',
    ...named(object),
    node: object.inner('spec').text('nodeName'),
    isRunning: object.inner('status').text('phase') === 'Running' && !isGoing,
    asked: askedIn(annotations[asksKey] ?? ''),
    attached: attachedIn(annotations[gotKey] ?? '', namespace),
    predictable: labels[predictableLabel] ?? '',
  }
}

/** A list as JSON, or names with commas between them; what is no list asks for one, as upstream. */
function askedIn(text: string): number {
  const trimmed = text.trim()
  const listed = trimmed.startsWith('[') ? parseJson(trimmed) : undefined
  if (Array.isArray(listed)) return listed.length
  return trimmed.split(',').filter((part) => part.trim() !== '').length
}

function attachedIn(text: string, namespace: string): readonly Attached[] {
  const listed = parseJson(text)
  const all = new Fields({ listed: Array.isArray(listed) ? listed.slice(0, mostNetworks) : [] }, [])
  let left = mostAddresses
  return all
    .each('listed')
    .filter((one) => !isPrimary(one))
    .map((one) => {
      const name = one.text('name').slice(0, longestName)
      const attachment = name.includes('/') ? name : keyFrom(namespace, name)
      const ips = one
        .texts('ips')
        .slice(0, left)
        .map((ip) => ip.slice(0, longestAddress))
      left -= ips.length
      return { attachment, ips }
    })
}

/** The network of the cluster, which needs no route. */
const isPrimary = (one: Fields): boolean =>
  one.text('name') === 'ovn-kubernetes' ||
  one.text('interface') === 'eth0' ||
  one.flag('default') === true

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function decodeFrrConfiguration(object: Fields): FrrConfiguration {
  const spec = object.inner('spec')
  const routers = spec.inner('bgp').each('routers')
  const prefixes = routers.flatMap((router) => router.parseEachIf('prefixes', parsePrefix))
  const neighbours = routers.flatMap((router) => router.each('neighbors'))
  return {
    kind: 'FRRConfiguration',
    ...named(object),
    ...routeIn(metaOf(object).labels),
    selector: selectorOf(spec.inner('nodeSelector')),
    spec: spec.json,
    announced: prefixes.flatMap(({ family, length, base }) =>
      length === bitsOf(family) ? [fromBigInt(family, base)] : [],
    ),
    neighbours: neighbours.flatMap((one) => {
      const ip = parseIp(one.text('address'))
      return ip.ok ? [ip.value] : []
    }),
  }
}

function routeIn(labels: Labels): { readonly routeOf?: RouteOf } {
  const name = labels[routeLabels.name]
  if (name === undefined) return {}
  const configuration = keyFrom(labels[routeLabels.namespace] ?? '', name)
  const [uid, pod] = [labels[routeLabels.uid] ?? '', labels[routeLabels.pod] ?? '']
  return { routeOf: { configuration, uid, pod } }
}
