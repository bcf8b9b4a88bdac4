// What should a block of addresses record (R12.5)? For each address the host that it is decided or
// reserved for, or kept for. A block that no host needs is deleted.
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { Changed } from '../../model/changed.ts'
import { type AddressBlock, type BlockHolder, blockOf } from '../../model/ipam/addressBlock.ts'
import { type Held, yieldsTo } from '../../model/ipam/heldAddresses.ts'
import { managed } from '../../model/made.ts'
import { isSame } from '../../model/sameView.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Write } from '../../model/write.ts'
import { toBigInt } from '../../net/ip.ts'
import type { BlockWrite } from '../claims.ts'
import type { BlockDecider } from '../decider.ts'
import { keepsFor, keptSecondsLeft, secondsLeft } from './keep.ts'

export const addressBlocks: BlockDecider = {
  name: 'address-blocks',
  kind: 'AddressBlock',
  reads: ['AddressBlock'],
  wakes: blocksWoken,
  isClaimed: 'blocks',
  record: decideBlock,
  decide(world, name, now = '') {
    const write = decideBlock(world, name, now)
    const seconds = keptSecondsLeft(world.all('AddressBlock').get(name), now)
    const again = seconds === undefined ? {} : { againInS: seconds }
    return { writes: write === undefined ? [] : [blockWrite(write)], ...again }
  },
}

function blocksWoken(changed: Changed): readonly string[] {
  return changed.type === 'use' && changed.kind === 'AddressBlock' ? [changed.key] : []
}

export function blockWrite(write: BlockWrite): Extract<Write, { type: 'apply' | 'delete' }> {
  const { name } = write
  if (write.type === 'delete') return { type: 'delete', of: { kind: 'AddressBlock', name } }
  const object = {
    apiVersion: apiVersionOf(apiGroups.berth),
    kind: 'AddressBlock',
    metadata: { name, labels: managed },
    spec: specOfBlock(write),
  }
  return { type: 'apply', object }
}

type Stated = Pick<AddressBlock, 'wire' | 'first' | 'holders'>

export const specOfBlock = ({ wire, first, holders }: Stated) => ({
  wire,
  first,
  holders: holders.map(plain),
})

/** Without what is empty. */
const plain = (holder: BlockHolder) =>
  Object.fromEntries(Object.entries(holder).filter(([, value]) => value !== ''))

/** Undefined if the block is already right. */
function decideBlock(world: ReadonlyWorld, name: string, now: string): BlockWrite | undefined {
  const before = world.all('AddressBlock').get(name)
  const all = [...world.nodes.held.in(name)]
  const holders = all.flatMap((held) => holderOf(world, held, now)).sort(byAddress)
  if (isSame(holders, sorted(before))) return undefined
  const dropped = droppedFrom(before, holders)
  const [any] = all
  if (holders.length === 0 || any === undefined) {
    return before === undefined ? undefined : { type: 'delete', name, dropped }
  }
  const { wire, address } = any
  return { type: 'put', name, wire, first: blockOf(address), holders, dropped }
}

const sorted = (block: AddressBlock | undefined): readonly BlockHolder[] =>
  (block?.holders ?? []).toSorted(byAddress)

function byAddress(one: BlockHolder, other: BlockHolder): number {
  const [mine, theirs] = [toBigInt(one.address), toBigInt(other.address)]
  if (mine !== theirs) return mine < theirs ? -1 : 1
  const text = ({ namespace, name }: BlockHolder) => `${namespace}/${name}`
  return text(one) < text(other) ? -1 : 1
}

function droppedFrom(before: AddressBlock | undefined, holders: readonly BlockHolder[]) {
  const idOf = ({ address, namespace, name }: BlockHolder) => `${address} ${namespace}/${name}`
  const left = new Set(holders.map(idOf))
  return (before?.holders ?? []).filter((one) => !left.has(idOf(one)))
}

/** Empty once no host needs the block. */
function holderOf(world: ReadonlyWorld, held: Held, now: string): readonly BlockHolder[] {
  const { key, address, claim, network } = held
  const [namespace = '', name = ''] = key.split('/')
  const ipSet = world.all('IPSet').get(key)
  const isHeld = held.isReserved || (held.isPending && !isOutrun(world, held))
  if (!isHeld && isSuperseded(world, held)) return []
  if (isHeld || (ipSet !== undefined && claim?.uid === ipSet.uid)) {
    const keep = ipSet === undefined ? (claim?.keep ?? '') : keepsFor(world, ipSet)
    const uid = ipSet?.uid ?? claim?.uid ?? ''
    return [{ address, namespace, name, uid, network, keep, gone: '' }]
  }
  // Claimed, but its claimant no longer exists.
  if (claim === undefined || claim.keep === '' || isGivenUp(world, held)) return []
  const gone = claim.gone === '' ? now : claim.gone
  const kept = { ...claim, gone }
  return isOver(kept, now) ? [] : [kept]
}

/** Decided here, while another controller has claimed it for somebody else. */
function isOutrun(world: ReadonlyWorld, { wire, address, key }: Held): boolean {
  for (const other of world.nodes.held.each(wire, address)) {
    if (other.key === key) continue
    if (other.isReserved || (other.claim !== undefined && !yieldsTo(other, key))) return true
  }
  return false
}

/** Kept too long for a namespace that keeps too much, or given to another's host (R12.14). */
function isGivenUp(world: ReadonlyWorld, held: Held): boolean {
  const { wire, address } = held
  const all = world.nodes.held
  if (all.isBeyondKept(held)) return true
  for (const other of all.each(wire, address)) {
    if (yieldsTo(held, other.key) && (other.isReserved || other.isPending)) return true
  }
  return false
}

/** The host has another address on that network: this claim came from outdated data. */
function isSuperseded(world: ReadonlyWorld, { wire, key, address, network }: Held): boolean {
  const entries = world.all('Reservation').get(key)?.entries ?? []
  const name = network.toLowerCase()
  return entries.some(
    (entry) =>
      entry.network.toLowerCase() === name &&
      entry.address !== undefined &&
      entry.address !== address &&
      world.nodes.mayHave({ wire, key, address: entry.address }),
  )
}

const isOver = (holder: BlockHolder, now: string): boolean => {
  const left = secondsLeft(holder, now)
  return left !== undefined && left <= 0
}
