// How long are addresses kept for the name of an IPSet that is gone (R12.9)?
import type { AddressBlock, BlockHolder } from '../../model/ipam/addressBlock.ts'
import type { IpSet } from '../../model/ipam/ipSet.ts'
import type { ReadonlyWorld } from '../../model/world.ts'

/** A StatefulSet is often deleted to be made again in another shape. */
const usualForPods = '86400s'

/** `always`, or seconds such as `86400s`; empty for not at all. What the IPSet says goes first. */
export function keepsFor(world: ReadonlyWorld, { keep, namespace, isForPod }: IpSet): string {
  const [config] = world.nodes.configsIn(namespace)
  return keep || config?.keep || (isForPod ? usualForPods : '')
}

/** Undefined if it never ends, or has not begun. */
export function secondsLeft({ keep, gone }: BlockHolder, now: string): number | undefined {
  if (gone === '' || keep === 'always') return undefined
  const [since, nowMs] = [Date.parse(gone), Date.parse(now)]
  return Math.ceil(Number.parseInt(keep, 10) - (nowMs - since) / 1000)
}

/** Until the next one is free; undefined where none is waited for. */
export function keptSecondsLeft(block: AddressBlock | undefined, now: string): number | undefined {
  const left = (block?.holders ?? []).flatMap((holder) => secondsLeft(holder, now) ?? [])
  return left.length === 0 ? undefined : Math.max(1, Math.min(...left))
}
