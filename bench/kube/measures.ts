// What is measured of a controller? Each measure waits until the work is done, and says what it
// took; a figure for work that was not done would be a good one, so that is an error.
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/kube/waits.ts'
import { inParallel } from './bareClient.ts'
import type { Contender, Cost, Daemon } from './daemon.ts'
import { type Requests, requestsSince, requestsSoFar } from './requests.ts'
import type { Seen } from './seen.ts'
import { createService, deleteService, keyOf, setPool, type Town, upTo } from './town.ts'

export type Ground = { readonly town: Town; readonly seen: Seen }

/** Long after the slowest that we know of. */
const patienceMs = 1_200_000
/** As many as a person's tools would; the server makes no more of them with more. */
export const creators = 4
const calmMs = 2_500

export type Fill = Cost & {
  readonly name: string
  readonly count: number
  /** From the start of the process to the last status, and to the last event. */
  readonly statusMs: number
  readonly eventMs: number
  readonly firstStatusMs: number
  readonly events: number
  readonly requests: Requests
}

/** The Services are there, nobody has an address; the controller starts. Leaves it running. */
export async function fill(
  { town, seen }: Ground,
  { name, start }: Contender,
  count: number,
): Promise<[Fill, Daemon]> {
  const [before, eventsBefore] = [await requestsSoFar(town.kube), seen.events]
  const daemon = start(town)
  const isDone = () => {
    daemon.cost()
    return seen.addressed.size >= count ? true : undefined
  }
  await until(`${count} Services have addresses`, isDone, patienceMs)
  await calm(() => seen.lastEventMs)
  const requests = requestsSince(before, await requestsSoFar(town.kube), [])
  const since = (ms: number) => ms - daemon.startedMs
  const figures = {
    name,
    count,
    statusMs: since(seen.lastStatusMs),
    firstStatusMs: since(Math.min(...seen.addressed.values())),
    eventMs: since(seen.lastEventMs),
    events: seen.events - eventsBefore,
    requests,
    ...daemon.cost(),
  }
  return [figures, daemon]
}

async function calm(lastMs: () => number): Promise<void> {
  await until('nothing more comes', () => performance.now() - lastMs() > calmMs || undefined)
}

export type Restart = Cost & {
  readonly count: number
  /** From the start of the process until it says that every list is in. */
  readonly listedMs: number
  readonly requests: Requests
}

/** Everybody has an address: there is nothing to do. */
export async function restart({ town, seen }: Ground, { start }: Contender): Promise<Restart> {
  const before = await requestsSoFar(town.kube)
  const daemon = start(town)
  const listedMs = await daemon.ready()
  await sleep(4_000)
  const requests = requestsSince(before, await requestsSoFar(town.kube), [])
  const figures = { count: seen.addressed.size, listedMs, requests, ...daemon.cost() }
  await daemon.stop()
  return figures
}

export type Canary = { readonly listedMs: number; readonly addressedMs: number }

/** One Service came while nobody ran: when it has its address, everything works again. */
export async function restartWithOneNew(
  { town, seen }: Ground,
  { start }: Contender,
  number: number,
): Promise<[Canary, Daemon]> {
  await createService(town, number)
  const daemon = start(town)
  const listedMs = await daemon.ready()
  await until('the new one has its address', () => seen.addressed.get(keyOf(number)))
  return [{ listedMs, addressedMs: seen.lastStatusMs - daemon.startedMs }, daemon]
}

export type Live = {
  readonly perSecond: number
  /** From when a Service was first seen to when its address was, in order. */
  readonly delaysMs: readonly number[]
  readonly requests: Requests
}

export async function createWhileRunning(
  { town, seen }: Ground,
  [first, end]: readonly [number, number],
): Promise<Live> {
  const before = await requestsSoFar(town.kube)
  const answered = new Map<string, number>()
  const start = performance.now()
  await inParallel(creators, upTo(first, end), async (number) => {
    await createService(town, number)
    answered.set(keyOf(number), performance.now())
  })
  const perSecond = ((end - first) * 1000) / (performance.now() - start)
  await until('all have addresses', () => hasAll(seen, first, end), patienceMs)
  await calm(() => seen.lastEventMs)
  const requests = requestsSince(before, await requestsSoFar(town.kube), ['POST services'])
  const delaysMs = [...answered].map(([key, ms]) => {
    const came = Math.min(ms, seen.came.get(key) ?? ms)
    return (seen.addressed.get(key) ?? Number.NaN) - came
  })
  return { perSecond, delaysMs: delaysMs.sort((one, other) => one - other), requests }
}

const hasAll = (seen: Seen, first: number, end: number): true | undefined =>
  upTo(first, end).every((number) => seen.addressed.has(keyOf(number))) || undefined

export type Changed = {
  readonly count: number
  /** Until the last of it was asked for, and from then until the controller was done. */
  readonly askedMs: number
  readonly afterMs: number
  readonly requests: Requests
}

/** Their Addresses have to go with them. */
export async function deleteMany(
  { town, seen }: Ground,
  [first, end]: readonly [number, number],
): Promise<Changed> {
  const [before, start, held] = [
    await requestsSoFar(town.kube),
    performance.now(),
    seen.claims.size,
  ]
  await inParallel(creators, upTo(first, end), (number) => deleteService(town, number))
  const asked = performance.now()
  const count = end - first
  const areGone = () => seen.claims.size === held - count || undefined
  await until(`${count} Addresses are gone`, areGone, patienceMs)
  const requests = requestsSince(before, await requestsSoFar(town.kube), ['DELETE services'])
  const afterMs = Math.max(0, seen.lastClaimMs - asked)
  return { count, askedMs: asked - start, afterMs, requests }
}

/** They ask for a pool that is full, until it gets a larger range. */
export async function letIn(
  { town, seen }: Ground,
  [first, end]: readonly [number, number],
): Promise<Changed> {
  await setPool(town, 'narrow', ['10.200.0.1/32'])
  await inParallel(creators, upTo(first, end), (number) => createService(town, number, 'narrow'))
  const count = end - first
  const areWaiting = () => seen.waiting.size >= count - 1 || undefined
  await until(`${count - 1} Services wait`, areWaiting, patienceMs)
  await calm(() => seen.lastEventMs)
  const [before, start] = [await requestsSoFar(town.kube), performance.now()]
  await setPool(town, 'narrow', ['10.200.0.0/16'])
  const asked = performance.now()
  await until('all are let in', () => hasAll(seen, first, end), patienceMs)
  const afterMs = seen.lastStatusMs - asked
  await calm(() => seen.lastEventMs)
  const requests = requestsSince(before, await requestsSoFar(town.kube), [
    'APPLY ipaddresspools',
    'PATCH ipaddresspools',
  ])
  return { count, askedMs: asked - start, afterMs, requests }
}
