// What is known about a node? From its Node object, and from its speaker's report (R8.5).
import type { Interface, NodeInterfaces, NodeRoute, NodeView } from '../../../core/model/node.ts'
import type { Labels } from '../../../core/model/selector.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { parsePrefix, prefixText } from '../../../core/net/range.ts'
import { berth } from '../annotations.ts'
import { type HostAddress, interfaceAddresses, parseHostAddress } from './decodeHostAddress.ts'
import { metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function decodeNode(object: Fields): NodeView {
  const { name, uid, labels, annotations } = metaOf(object)
  const status = object.inner('status')
  const conditions = status.each('conditions')
  const addresses = status
    .each('addresses')
    .flatMap((entry) => entry.parseIf('address', parseIp) ?? [])
  const values = valuesIn(annotations)
  const annotated = interfaceAddresses(annotations[berth.interfaceAddresses] ?? '')
  return {
    kind: 'Node',
    name,
    uid,
    labels,
    isNetworkUnavailable: conditions.some(
      (one) => one.text('type') === 'NetworkUnavailable' && one.text('status') === 'True',
    ),
    isGoing:
      object.inner('spec').flag('unschedulable') === true ||
      object.inner('metadata').has('deletionTimestamp') ||
      conditions.some(isShuttingDown),
    addresses,
    ...(values && { annotations: values }),
    annotated,
    occupied: [...addresses, ...annotated.map(({ address }) => address)],
  }
}

/** A Node has large annotations of other programs: only what can be of use is kept. */
function valuesIn(annotations: Labels): Labels | undefined {
  const found = Object.entries(annotations).filter(
    ([, text]) => text.length < 46 && (/^[1-9][0-9]{0,9}$/.test(text) || parseIp(text).ok),
  )
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** What the kubelet says before it ends the Pods of a machine that is switched off. */
const isShuttingDown = (condition: Fields): boolean =>
  condition.text('type') === 'Ready' && condition.text('message') === 'node is shutting down'

function interfaceOf(entry: Fields): Interface {
  const temporary = new Set(entry.parseEach('temporary', parseHostAddress).map(textOf))
  const type = entry.text('type')
  return {
    name: entry.text('name'),
    mac: entry.text('mac'),
    hasCarrier: entry.flag('carrier') ?? false,
    ...(type === '' ? {} : { type }),
    addresses: entry.parseEach('addresses', parseHostAddress).map((one) => ({
      ...one,
      ...(temporary.has(textOf(one)) && { isTemporary: true }),
    })),
  }
}

const textOf = ({ address, prefixLength }: HostAddress): string => `${address}/${prefixLength}`

export function decodeNodeInterfaces(object: Fields): NodeInterfaces {
  const spec = object.inner('spec')
  const interfaces = spec.each('interfaces').map(interfaceOf)
  const occupied = interfaces.flatMap((one) => one.addresses.map(({ address }) => address))
  const routes = spec.has('routes') ? { routes: spec.each('routes').flatMap(routeOf) } : {}
  return { kind: 'NodeInterfaces', name: metaOf(object).name, interfaces, ...routes, occupied }
}

function routeOf(entry: Fields): readonly NodeRoute[] {
  const destination = entry.parseIf('destination', parsePrefix)
  const via = entry.parseIf('via', parseIp)
  return destination === undefined || via === undefined
    ? []
    : [{ destination: prefixText(destination), via }]
}
