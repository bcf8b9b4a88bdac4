// How do the networks of a Tenant move? All of their ranges at once. While its Services are pinned
// to their old addresses, the Tenant translates these to the new ones.
import { isRecord, type Json, recordAt, textAt, textsAt } from '../../model/json.ts'
import { type Parsed, parsed, refused } from '../../net/parsed.ts'
import { parsePrefix } from '../../net/range.ts'
import { originOf, recorded, takesBack, unrecorded } from './renumberRecord.ts'
import type { Refused, RenumberWrite } from './renumberWrite.ts'
import { type Shift, shiftedIp, shiftedRange } from './shift.ts'

export type MovedTenant = {
  /** In between; not if it has moved already. */
  readonly translating: readonly RenumberWrite[]
  readonly final: RenumberWrite
}

const lists = ['cidrs', 'loadBalancer', 'attachments', 'nodes', 'hosts'] as const

/** Undefined if none of its networks lies there. */
export function movedTenant(
  shift: Shift,
  id: string,
  json: Json,
): MovedTenant | Refused | undefined {
  for (const [index, network] of networksOf(json).entries()) {
    const after = movedNetwork(shift, network)
    const from = shiftedList(shift, network, 'translateFrom')
    const why = after.ok ? (from.ok ? '' : from.why) : after.why
    if (why !== '') return { id, path: `spec.networks[${index}]`, message: why }
  }
  const isBegun = originOf(json) !== undefined
  const isMoving = networksOf(json).some((network) => {
    const after = inBetween(shift, network)
    return isBegun
      ? JSON.stringify(lists.map((field) => after[field])) !==
          JSON.stringify(lists.map((field) => network[field]))
      : JSON.stringify(after) !== JSON.stringify(network)
  })
  if (!isMoving && !isBegun) return undefined
  const translating: RenumberWrite = {
    id,
    what: 'moved',
    change: (before) => before && translated(shift, before),
  }
  return {
    translating: isMoving ? [translating] : [],
    final: { id, what: 'asks as before', change: (before) => before && asBefore(shift, before) },
  }
}

function translated(shift: Shift, json: Json): Json {
  const spec = recordAt(json, 'spec')
  const { requestedAddresses } = spec
  const networks = networksOf(json)
  const translateFrom = Object.fromEntries(
    networks.map((network) => [textAt(network, 'name'), network['translateFrom'] ?? null]),
  )
  const between = networks.map((network) => inBetween(shift, network))
  return recorded(
    shift,
    { ...json, spec: { ...spec, requestedAddresses: 'Translate', networks: between } },
    { requestedAddresses: requestedAddresses ?? null, translateFrom },
  )
}

/** Networks that somebody has added since stay as they are. */
function asBefore(shift: Shift, json: Json): Json {
  const origin = originOf(json)
  if (origin === undefined) return json
  const was = recordAt(origin, 'translateFrom')
  const networks = networksOf(json).map((network) => {
    const name = textAt(network, 'name')
    if (!(name in was)) return network
    const { translateFrom: _, ...rest } = network
    if (was[name] === null) return rest
    const moved = shiftedList(shift, was, name)
    const texts = takesBack(shift, origin) || !moved.ok ? was[name] : moved.value
    return { ...rest, translateFrom: texts }
  })
  const { requestedAddresses: __, ...spec } = recordAt(json, 'spec')
  const requested = origin['requestedAddresses']
  const asked = typeof requested === 'string' ? { requestedAddresses: requested } : {}
  return unrecorded({ ...json, spec: { ...spec, ...asked, networks } })
}

function movedNetwork(shift: Shift, network: Json): Parsed<Json> {
  const after: Json = { ...network }
  for (const field of lists) {
    if (!(field in network)) continue
    const texts = shiftedList(shift, network, field)
    if (!texts.ok) return refused(`${field}: ${texts.why}`)
    after[field] = texts.value
  }
  const gateway = textAt(network, 'gateway')
  if (gateway !== '') after['gateway'] = shiftedIp(shift, gateway)
  return parsed(after)
}

function shiftedList(shift: Shift, json: Json, field: string): Parsed<readonly string[]> {
  const texts: string[] = []
  for (const text of textsAt(json, field)) {
    const moved = shiftedRange(shift, text)
    if (!moved.ok) return refused(moved.why)
    texts.push(moved.value)
  }
  return parsed(texts)
}

/** Translates from where its subnet was, in that family. */
function inBetween(shift: Shift, before: Json): Json {
  const moved = movedNetwork(shift, before)
  const after = moved.ok ? moved.value : before
  const familyOf = (text: string): string => {
    const prefix = parsePrefix(text)
    return prefix.ok ? prefix.value.family : ''
  }
  const { family } = shift.from
  const moving = textsAt(before, 'cidrs').filter(
    (text) => familyOf(text) === family && !textsAt(after, 'cidrs').includes(text),
  )
  const from = shiftedList(shift, before, 'translateFrom')
  if (moving.length === 0) {
    return from.ok && 'translateFrom' in before ? { ...after, translateFrom: from.value } : after
  }
  const others = (from.ok ? from.value : []).filter((text) => familyOf(text) !== family)
  return { ...after, translateFrom: [...others, ...moving] }
}

const networksOf = (json: Json): readonly Json[] => {
  const { networks } = recordAt(json, 'spec')
  return Array.isArray(networks) ? networks.filter(isRecord) : []
}
