// Does anything else give out our addresses on the same wire? All allocators against one another,
// by the table of section 5; each problem is reported on both objects.
import type { Problem, ProblemCode } from '../../model/problem.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { overlap, rangeText } from '../../net/intervals.ts'
import { type Clash, clashProblems } from './wiresClash.ts'
import { Effort } from './wiresEffort.ts'
import { vipsOutside } from './wiresOutside.ts'
import { type RangeUse, type Role, shareWire } from './wiresRangeUse.ts'
import { rangeUsesOf } from './wiresRangeUses.ts'
import { onTwoVlans, subnetText, twoSubnets, vlanText } from './wiresSubnets.ts'
import { overlaps } from './wiresSweep.ts'

type Rule = {
  readonly code: ProblemCode
  /** Both have addresses in common; is that wrong? */
  readonly isClash: (one: RangeUse, other: RangeUse) => boolean
  readonly common: Clash['common']
}

export function ledgerProblems(world: ReadonlyWorld): Problem[] {
  const effort = new Effort()
  const uses = rangeUsesOf(world, effort)
  const problems = [
    ...clashProblems(overlapsIn(uses, effort)),
    ...clashProblems(sharedVlansIn(uses, effort)),
    ...vipsOutside(world),
    ...effort.problems(uses),
  ]
  return problems.sort(byObject)
}

function* overlapsIn(uses: readonly RangeUse[], effort: Effort): Generator<Clash> {
  const partners = (role: Role) => rules[role].keys()
  const mayCompare = (count: number) => effort.mayCompare(count)
  for (const both of overlaps(uses, { partners, mayCompare })) {
    const [one, other] = both
    const rule = rules[one.role].get(other.role)
    if (rule?.isClash(one, other)) yield { code: rule.code, both, common: rule.common }
  }
}

function* sharedVlansIn(uses: readonly RangeUse[], effort: Effort): Generator<Clash> {
  for (const { wire, both } of twoSubnets(uses, effort)) {
    const common = (one: RangeUse, other: RangeUse) =>
      `${wire} (${subnetText(one.range)}, ${subnetText(other.range)})`
    yield { code: 'one-vlan-two-subnets', both, common }
  }
}

const sameAddresses = (code: ProblemCode): Rule => ({
  code,
  isClash: shareWire,
  common: (one, other) => {
    const whats = [one.what, other.what].filter((what) => what !== '').join(', ')
    return commonText(one, other, rangeText) + (whats === '' ? '' : ` (${whats})`)
  },
})

const sameSubnet: Rule = {
  code: 'one-subnet-two-vlans',
  isClash: onTwoVlans,
  common: (one, other) =>
    `${commonText(one, other, subnetText)} (${vlanText(one)}, ${vlanText(other)})`,
}

function commonText(one: RangeUse, other: RangeUse, text: typeof rangeText): string {
  const common = overlap(one.range, other.range)
  return common === undefined ? '' : text(common)
}

const strangersOnly = (rule: Rule): Rule => ({
  ...rule,
  isClash: (one, other) => areStrangers(one, other) && rule.isClash(one, other),
})

/** Givers of one namespace, one tenant, one network_name or one wire know of each other. */
function areStrangers({ giver: one }: RangeUse, { giver: other }: RangeUse): boolean {
  if (one === undefined || other === undefined) return true
  if (one.networkName !== '' && one.networkName === other.networkName) return false
  const areNamespaced = one.namespace !== '' && other.namespace !== ''
  return areNamespaced ? one.namespace !== other.namespace : one.tenant !== other.tenant
}

const rules = tableOf([
  [['vip', 'node'], sameAddresses('overlap-vip-node')],
  [['vip', 'nodeAddress'], sameAddresses('overlap-vip-node')],
  [['vip', 'attachment'], sameAddresses('overlap-vip-attachment')],
  [['node', 'attachment'], sameAddresses('overlap-node-attachment')],
  [['vip', 'gateway'], sameAddresses('overlap-gateway')],
  [['node', 'gateway'], sameAddresses('overlap-gateway')],
  [['attachment', 'gateway'], sameAddresses('overlap-gateway')],
  [['node', 'node'], strangersOnly(sameAddresses('overlap-nodes'))],
  [['attachment', 'attachment'], strangersOnly(sameAddresses('overlap-attachments'))],
  [['subnet', 'subnet'], sameSubnet],
  [['vip', 'subnet'], sameSubnet],
])

type Table = Readonly<Record<Role, Map<Role, Rule>>>

function tableOf(entries: readonly (readonly [readonly [Role, Role], Rule])[]): Table {
  const none = () => new Map<Role, Rule>()
  const table: Table = {
    vip: none(),
    node: none(),
    nodeAddress: none(),
    attachment: none(),
    gateway: none(),
    subnet: none(),
  }
  for (const [[one, other], rule] of entries) {
    table[one].set(other, rule)
    table[other].set(one, rule)
  }
  return table
}

function byObject(one: Problem, other: Problem): number {
  const [mine, theirs] = [orderOf(one), orderOf(other)]
  return mine === theirs ? 0 : mine < theirs ? -1 : 1
}

const orderOf = ({ object, code, message }: Problem): string => `${object} ${code} ${message}`
