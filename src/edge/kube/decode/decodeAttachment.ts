// Which addresses can an attachment give to pods? The CNI configuration of a
// NetworkAttachmentDefinition, with whereabouts ranges. It is not ours, so invalid parts are
// skipped.
import type { Attachment, AttachmentRange } from '../../../core/model/wires.ts'
import { covers } from '../../../core/net/intervals.ts'
import { bitsOf, familyOf, type Ip, parseIp, toBigInt } from '../../../core/net/ip.ts'
import { type Parsed, parsed } from '../../../core/net/parsed.ts'
import {
  type Prefix,
  parsePrefix,
  parseRange,
  type Range,
  rangeOf,
} from '../../../core/net/range.ts'
import { berth } from '../annotations.ts'
import { madeOf } from './decodeMaker.ts'
import { keyFrom, metaOf } from './decodeMeta.ts'
import { Fields } from './fields.ts'

export function decodeAttachment(object: Fields): Attachment {
  const { name, namespace, annotations } = metaOf(object)
  const config = new Fields(parseJson(object.inner('spec').text('config')), [])
  const plugin = mainPlugin(config)
  const ipam = plugin.inner('ipam')
  return {
    kind: 'NetworkAttachmentDefinition',
    key: keyFrom(namespace, name),
    name,
    namespace,
    ...madeOf(object),
    // A bridge plugin has no master: the bridge itself is the wire.
    master: plugin.text('master') || plugin.text('bridge'),
    vlan: plugin.number('vlan') || plugin.number('vlanId') || undefined,
    networkName: ipam.text('network_name'),
    network: annotations[berth.network] ?? name,
    takesIps: ipam.text('type') === 'static' && plugin.inner('capabilities').flag('ips') === true,
    hasIpam: ipam.names().length > 0,
    gatewayText: ipam.text('gateway'),
    ranges: ipam.text('type') === 'whereabouts' ? rangesOf(ipam) : [],
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** In a chain of plugins, the one that creates the interface is the one with addresses. */
function mainPlugin(config: Fields): Fields {
  const chain = config.each('plugins')
  return chain.find((plugin) => plugin.has('ipam')) ?? chain[0] ?? config
}

/** The older single range comes first; one address is taken from each range. */
function rangesOf(ipam: Fields): readonly AttachmentRange[] {
  const gateway = ipam.parseIf('gateway', parseIp)
  return [ipam, ...ipam.each('ipRanges')].flatMap((entry) => rangeIn(entry, gateway))
}

function rangeIn(entry: Fields, gateway: Ip | undefined): readonly AttachmentRange[] {
  const written = entry.parseIf('range', parseSubnet)
  if (written === undefined) return []
  const { subnet, within } = written
  return [
    {
      subnet,
      given: narrowed(within, entry),
      excluded: entry.parseEachIf('exclude', parseBlock),
      gateway: gateway !== undefined && familyOf(gateway) === subnet.family ? gateway : undefined,
    },
  ]
}

/** `172.17.0.0/24`, or `172.17.0.30-172.17.0.70/24` with the first and last usable address. */
function parseSubnet(text: string): Parsed<{ subnet: Prefix; within: Range }> {
  const [ends = '', length = ''] = text.split('/')
  const first = ends.split('-')[0] ?? ''
  const subnet = parsePrefix(`${first.trim()}/${length}`)
  if (!subnet.ok) return subnet
  const usable = usablePart(subnet.value)
  if (!ends.includes('-')) return parsed({ subnet: subnet.value, within: usable })
  const range = parseRange(ends)
  if (!range.ok) return range
  return parsed({
    subnet: subnet.value,
    within: covers(rangeOf(subnet.value), range.value) ? range.value : usable,
  })
}

/** whereabouts never assigns the first and last address of a subnet, not even in IPv6. */
function usablePart(subnet: Prefix): Range {
  const range = rangeOf(subnet)
  if (subnet.length >= bitsOf(subnet.family) - 1) return range
  return { ...range, first: range.first + 1n, last: range.last - 1n }
}

/** Ignores a bound outside the range, or an end before the start, as whereabouts does. */
function narrowed(range: Range, entry: Fields): Range {
  const bound = (name: string): bigint | undefined => {
    const ip = entry.parseIf(name, parseIp)
    if (ip === undefined || familyOf(ip) !== range.family) return undefined
    const value = toBigInt(ip)
    return range.first <= value && value <= range.last ? value : undefined
  }
  const first = bound('range_start') ?? range.first
  const last = bound('range_end') ?? range.last
  return { ...range, first, last: first <= last ? last : range.last }
}

/** A block is a prefix or a single address. */
function parseBlock(text: string): Parsed<Range> {
  if (text.includes('/')) return parseRange(text)
  const ip = parseIp(text)
  if (!ip.ok) return ip
  const value = toBigInt(ip.value)
  return parsed({ family: familyOf(ip.value), first: value, last: value })
}
