// What is known about a node? From its Node object, and from its speaker's report (R8.5).
import type { InterfaceAddress, NodeInterfaces, NodeView } from '../../../core/model/node.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { berth } from '../annotations.ts'
import { parseHostAddress } from './decodeHostAddress.ts'
import { metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function decodeNode(object: Fields): NodeView {
  const { name, labels, annotations } = metaOf(object)
  const status = object.inner('status')
  const conditions = status.each('conditions')
  const addresses = status
    .each('addresses')
    .flatMap((entry) => entry.parseIf('address', parseIp) ?? [])
  const annotated = interfaceAddresses(annotations[berth.interfaceAddresses] ?? '')
  return {
    kind: 'Node',
    name,
    labels,
    isNetworkUnavailable: conditions.some(
      (one) => one.text('type') === 'NetworkUnavailable' && one.text('status') === 'True',
    ),
    isGoing:
      object.inner('spec').flag('unschedulable') === true ||
      object.inner('metadata').has('deletionTimestamp') ||
      conditions.some(isShuttingDown),
    addresses,
    annotated,
    occupied: [...addresses, ...annotated.map(({ address }) => address)],
  }
}

/** What the kubelet says before it ends the Pods of a machine that is switched off. */
const isShuttingDown = (condition: Fields): boolean =>
  condition.text('type') === 'Ready' && condition.text('message') === 'node is shutting down'

/** `eth0=10.0.0.5/24,eth1=203.0.113.5/24`; a Node is not ours, so invalid parts are skipped. */
function interfaceAddresses(text: string): readonly InterfaceAddress[] {
  return text.split(',').flatMap((entry) => {
    const [name = '', written = ''] = entry.split('=').map((side) => side.trim())
    const host = parseHostAddress(written)
    return name !== '' && host.ok ? [{ interface: name, ...host.value }] : []
  })
}

export function decodeNodeInterfaces(object: Fields): NodeInterfaces {
  const interfaces = object
    .inner('spec')
    .each('interfaces')
    .map((entry) => ({
      name: entry.text('name'),
      mac: entry.text('mac'),
      hasCarrier: entry.flag('carrier') ?? false,
      addresses: entry.parseEach('addresses', parseHostAddress),
    }))
  const occupied = interfaces.flatMap((one) => one.addresses.map(({ address }) => address))
  return { kind: 'NodeInterfaces', name: metaOf(object).name, interfaces, occupied }
}
