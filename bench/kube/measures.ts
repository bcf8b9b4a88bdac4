// What is measured about a controller? Each measure waits until the work is done and returns what
// it took. Missing work is an error, because it would make a good figure.
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/kube/waits.ts'
import { inParallel } from './bareClient.ts'
import type { Contender, Cost, Daemon } from './daemon.ts'
import { type Requests, requestsSince, requestsSoFar } from './requests.ts'
import type { Seen } from './seen.ts'
import { createService, deleteService, keyOf, setPool, type Town, upTo } from './town.ts'

export type Ground = { readonly town: Town; readonly seen: Seen }

/** Far longer than the slowest controller we know takes. */
const patienceMs = 1_200_000
/** Typical concurrency of tools; more does not make the server faster. */
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

/** The Services exist without addresses; the controller starts, and is left running. */
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
  // The last event may be of the round before: those of this one may begin after the last status.
  await calm(() => Math.max(seen.lastEventMs, seen.lastStatusMs))
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
  await until('no more events', () => performance.now() - lastMs() > calmMs || undefined)
}

export type Restart = Cost & {
  readonly count: number
  /** From the start of the process until it reports that every list has been read. */
  readonly listedMs: number
  readonly requests: Requests
}

/** Every Service has its address, so there is nothing to do. */
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

/** One Service was created while no controller ran: once it has an address, all works again. */
export async function restartWithOneNew(
  { town, seen }: Ground,
  { start }: Contender,
  number: number,
): Promise<[Canary, Daemon]> {
  await createService(town, number)
  const daemon = start(town)
  const listedMs = await daemon.ready()
  await until('the new Service has its address', () => seen.addressed.get(keyOf(number)))
  return [{ listedMs, addressedMs: seen.lastStatusMs - daemon.startedMs }, daemon]
}

export type Live = {
  readonly perSecond: number
  /** From when a Service was first seen to when its address was, sorted. */
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
  // The last event may be of the round before: those of this one may begin after the last status.
  await calm(() => Math.max(seen.lastEventMs, seen.lastStatusMs))
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
  /** Until the last request was sent, and from then until the controller was done. */
  readonly askedMs: number
  readonly afterMs: number
  readonly requests: Requests
}

/** Their Addresses must be deleted with them. */
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

/** They request a full pool, which is then enlarged. */
export async function letIn(
  { town, seen }: Ground,
  [first, end]: readonly [number, number],
): Promise<Changed> {
  await setPool(town, 'narrow', ['10.200.0.1/32'])
  await inParallel(creators, upTo(first, end), (number) => createService(town, number, 'narrow'))
  const count = end - first
  const areWaiting = () => seen.waiting.size >= count - 1 || undefined
  await until(`${count - 1} Services wait`, areWaiting, patienceMs)
  // The last event may be of the round before: those of this one may begin after the last status.
  await calm(() => Math.max(seen.lastEventMs, seen.lastStatusMs))
  const [before, start] = [await requestsSoFar(town.kube), performance.now()]
  await setPool(town, 'narrow', ['10.200.0.0/16'])
  const asked = performance.now()
  await until('all have addresses', () => hasAll(seen, first, end), patienceMs)
  const afterMs = seen.lastStatusMs - asked
  // The last event may be of the round before: those of this one may begin after the last status.
  await calm(() => Math.max(seen.lastEventMs, seen.lastStatusMs))
  const requests = requestsSince(before, await requestsSoFar(town.kube), [
    'APPLY ipaddresspools',
    'PATCH ipaddresspools',
  ])
  return { count, askedMs: asked - start, afterMs, requests }
}
