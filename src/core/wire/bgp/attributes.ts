// Path attributes, RFC 4271 §4.3 and §5; what is wrong with one is judged by RFC 7606 §3 and §7.
//   | flags 1 | type 1 | length 1 or 2 | value |
import type { Ip } from '../../net/ip.ts'
import { ipFrom } from '../../net/octets.ts'
import type { Reader } from '../reader.ts'
import { type AsSize, decodeAsPath, type Segment } from './asPath.ts'
import { extendedBytes, type LinkBandwidth, linkBandwidthIn } from './linkBandwidth.ts'
import { type Read, refused } from './notice.ts'
import { decodeReach, decodeUnreach, type ReadReach } from './reach.ts'

export const origins = ['IGP', 'EGP', 'INCOMPLETE'] as const
export type Attributes = {
  readonly origin?: (typeof origins)[number]
  readonly asPath?: readonly Segment[]
  readonly nextHop?: Ip
  readonly med?: number
  readonly localPref?: number
  /** Each as one number of 32 bits. */
  readonly communities?: readonly number[]
  readonly largeCommunities?: readonly (readonly [number, number, number])[]
  /** Of the extended communities the one that we know. */
  readonly bandwidth?: LinkBandwidth
}

export type ReadAttributes = {
  readonly attributes: Attributes
  readonly reach: ReadReach | undefined
  readonly unreach: ReadReach | undefined
  /** Why the routes count as withdrawn, and which attributes were left out. */
  readonly withdrawn: readonly string[]
  readonly discarded: readonly string[]
}

/** How the peer writes, and whether LOCAL_PREF may come from it. */
export type AttributeContext = { readonly asSize: AsSize; readonly isInternal: boolean }

const [optional, transitive, extended] = [0x80, 0x40, 0x10] as const
/** How much of an attribute goes into a NOTIFICATION, which is at most 4096 bytes. */
const mostShown = 2048
export const reachType = 14
export const unreachType = 15

type AttributeDraft = {
  -readonly [Name in keyof Attributes]: Attributes[Name]
} & { reach?: ReadReach; unreach?: ReadReach }
/** False where the value is not what it should be. */
type Take = (r: Reader, found: AttributeDraft, context: AttributeContext) => boolean
type Rule = {
  readonly name: string
  readonly flags: number
  readonly take: Take
  /** Otherwise the routes count as withdrawn. */
  readonly isDiscarded?: true
  /** From another AS it means nothing. */
  readonly isInternal?: true
}

const isMultiple = (size: number) => (r: Reader) => r.left > 0 && r.left % size === 0

const rules: Readonly<Record<number, Rule>> = {
  1: {
    name: 'ORIGIN',
    flags: transitive,
    take(r, found) {
      const origin = r.left === 1 ? origins[r.u8()] : undefined
      if (origin !== undefined) found.origin = origin
      return origin !== undefined
    },
  },
  2: {
    name: 'AS_PATH',
    flags: transitive,
    take(r, found, { asSize }) {
      const path = decodeAsPath(r, asSize)
      if (path !== undefined) found.asPath = path
      return path !== undefined
    },
  },
  3: {
    name: 'NEXT_HOP',
    flags: transitive,
    take(r, found) {
      if (r.left !== 4) return false
      found.nextHop = ipFrom(r.bytes(4))
      return true
    },
  },
  4: {
    name: 'MULTI_EXIT_DISC',
    flags: optional,
    take(r, found) {
      if (r.left !== 4) return false
      found.med = r.u32()
      return true
    },
  },
  5: {
    name: 'LOCAL_PREF',
    flags: transitive,
    isInternal: true,
    take(r, found) {
      if (r.left !== 4) return false
      found.localPref = r.u32()
      return true
    },
  },
  6: {
    name: 'ATOMIC_AGGREGATE',
    flags: transitive,
    isDiscarded: true,
    take: ({ left }) => left === 0,
  },
  7: {
    name: 'AGGREGATOR',
    flags: optional | transitive,
    isDiscarded: true,
    take: ({ left }, _, { asSize }) => left === asSize + 4,
  },
  8: {
    name: 'COMMUNITIES',
    flags: optional | transitive,
    take(r, found) {
      if (!isMultiple(4)(r)) return false
      const communities: number[] = []
      while (r.left > 0) communities.push(r.u32())
      found.communities = communities
      return true
    },
  },
  9: {
    name: 'ORIGINATOR_ID',
    flags: optional,
    isInternal: true,
    take: ({ left }) => left === 4,
  },
  10: { name: 'CLUSTER_LIST', flags: optional, isInternal: true, take: isMultiple(4) },
  14: {
    name: 'MP_REACH_NLRI',
    flags: optional,
    take(r, found) {
      found.reach = decodeReach(r)
      return true
    },
  },
  15: {
    name: 'MP_UNREACH_NLRI',
    flags: optional,
    take(r, found) {
      found.unreach = decodeUnreach(r)
      return true
    },
  },
  16: {
    name: 'EXTENDED COMMUNITIES',
    flags: optional | transitive,
    take(r, found) {
      if (!isMultiple(extendedBytes)(r)) return false
      const bandwidth = linkBandwidthIn(r)
      if (bandwidth !== undefined) found.bandwidth = bandwidth
      return true
    },
  },
  32: {
    name: 'LARGE_COMMUNITY',
    flags: optional | transitive,
    take(r, found) {
      if (!isMultiple(12)(r)) return false
      const communities: [number, number, number][] = []
      while (r.left > 0) communities.push([r.u32(), r.u32(), r.u32()])
      found.largeCommunities = communities
      return true
    },
  },
}

/** Refused only where RFC 7606 leaves nothing but to end the session. */
export function decodeAttributes(r: Reader, context: AttributeContext): Read<ReadAttributes> {
  const found: AttributeDraft = {}
  const [seen, withdrawn, discarded]: [Set<number>, string[], string[]] = [new Set(), [], []]
  while (r.left > 0) {
    const whole = r.rest()
    const [flags, type] = [r.u8(), r.u8()]
    const value = r.within((flags & extended) === 0 ? r.u8() : r.u16())
    if (r.overran) {
      withdrawn.push('an attribute is longer than all of them')
      break
    }
    const rule = rules[type]
    if (seen.has(type)) {
      if (type === reachType || type === unreachType) return refused(3, 1)
      discarded.push(`${rule?.name ?? `attribute ${type}`} for the second time`)
    } else if (rule === undefined) {
      if ((flags & optional) === 0) {
        return refused(3, 2, whole.slice(0, whole.length - r.left).subarray(0, mostShown))
      }
    } else if ((flags & (optional | transitive)) !== rule.flags) {
      withdrawn.push(`${rule.name} has wrong flags`)
    } else if (rule.isInternal === true && !context.isInternal) {
      discarded.push(`${rule.name} from another AS`)
    } else if (!rule.take(value, found, context)) {
      const [list, what] = [rule.isDiscarded ? discarded : withdrawn, `${rule.name} is malformed`]
      list.push(what)
    }
    seen.add(type)
  }
  const { reach, unreach, ...attributes } = found
  if (reach === 'bad' || unreach === 'bad') return refused(3, 9)
  return { ok: true, value: { attributes, reach, unreach, withdrawn, discarded } }
}
