// berth migrate plan, step, status, finish and back: walks the steps one at a time, and asks the
// API anew before each.

import { meant } from '../../../../core/model/meant.ts'
import { Fault } from '../../../../edge/kube/api/fault.ts'
import { formatted } from '../../formatted.ts'
import type { Exit, Io } from '../../io.ts'
import { beginStep, endStep } from './baseline.ts'
import { liveWorld } from './liveWorld.ts'
import { type Progress, readProgress } from './progress.ts'
import { berthOwn, metallbOwn } from './removal.ts'
import type { Direction, Step } from './step.ts'
import { movesOf, stepsBack } from './stepsBack.ts'
import { stepsFinish } from './stepsFinish.ts'
import { stepsIn } from './stepsIn.ts'
import { drainedText, undoneText } from './stoppedText.ts'
import { type Walk, waitFor } from './walk.ts'
import { foundText, stepsText, stepsView } from './walkText.ts'

export type WalkOptions = {
  readonly direction: Direction
  readonly acceptsMoves: boolean
  readonly format: string
}

type Stand = { readonly progress: Progress; readonly steps: readonly Step[] }

async function standOf(walk: Walk, options: WalkOptions): Promise<Stand> {
  const progress = await readProgress(walk)
  const { direction, acceptsMoves } = options
  const isThere = progress.controllers.length + progress.speakers.length > 0
  if (direction === 'in') return { progress, steps: isThere ? stepsIn(progress, walk) : [] }
  if (direction === 'finish') {
    const before = stepsIn(progress, walk).filter(({ isDone }) => !isDone)
    const own = await metallbOwn(walk)
    // Once MetalLB is removed there is nothing to walk in from.
    const left = own.length === 0 ? [] : before
    return { progress, steps: [...left, ...stepsFinish(progress, own, walk)] }
  }
  const moves = movesOf(await liveWorld(walk))
  const steps = stepsBack(progress, { own: await berthOwn(walk), moves, acceptsMoves, walk })
  return { progress, steps }
}

/** Shows; writes nothing. Exit 2: something is left to do. */
export async function showSteps(
  walk: Walk,
  options: WalkOptions & { readonly isLong: boolean },
): Promise<Exit> {
  const { progress, steps } = await standOf(walk, options)
  const { io } = walk
  const data = formatted(stepsView(steps), options.format)
  if (data !== undefined) io.out(data)
  else if (steps.length === 0) io.out('MetalLB is not installed: nothing is left to migrate\n')
  else
    io.out(`${options.isLong ? `${foundText(progress)}\n` : ''}${stepsText(steps, options.isLong)}`)
  return steps.every(({ isDone }) => isDone) ? 0 : 2
}

/** The next one, the one that is named, or all. */
export async function runSteps(
  walk: Walk,
  options: WalkOptions,
  which: { readonly all: boolean; readonly name: string },
): Promise<Exit> {
  const { io } = walk
  let { steps } = await standOf(walk, options)
  for (let count = 0; ; count++) {
    const next = steps.find(({ isDone, name }) =>
      which.name === '' ? !isDone : name === which.name,
    )
    if (next === undefined) {
      if (which.name !== '') return unknownStep(io, which.name, steps)
      // Of a step that was killed when it was done.
      await endStep(walk)
      io.out(count === 0 ? 'nothing is left to do\n' : 'all steps are done\n')
      return 0
    }
    const isBefore = which.name !== '' && steps.slice(0, steps.indexOf(next)).some(notDone)
    if (isBefore && next.name !== 'keep') {
      io.err(`berth: ${steps.find(notDone)?.name} comes before ${next.name}\n`)
      return 1
    }
    if (next.isDone) {
      io.out(`${next.name}: done before\n`)
      return 0
    }
    const after = await ranAndStayed(walk, options, next)
    if (after === undefined) return 1
    if (!which.all) return 0
    steps = after.steps
  }
}

const notDone = ({ isDone }: Step): boolean => !isDone

function unknownStep(io: Io, name: string, steps: readonly Step[]): Exit {
  const names = steps.map((step) => step.name)
  const near = meant(name, names)
  io.err(`berth: there is no step ${name}; 'berth migrate plan' lists them${near}\n`)
  return 1
}

/** How it stands afterwards; undefined if it stopped, which has been said. */
async function ranAndStayed(
  walk: Walk,
  options: WalkOptions,
  step: Step,
): Promise<Stand | undefined> {
  const { io } = walk
  io.err(`${step.name}: ${step.title}\n`)
  try {
    if (step.isForPeople !== true) await beginStep(walk, step.name)
    await step.run(walk)
    await endStep(walk)
    const after = await settled(walk, options, step)
    io.out(`${step.name}: done\n`)
    return after
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    io.err(`berth: ${step.name} stopped: ${error.message}\n${await drainedText(walk)}`)
    const other = options.direction === 'back' ? '' : ', or berth migrate back to return'
    io.err(`What was done stays done. Run the same command again to go on${other}.\n`)
    return undefined
  }
}

/** Longer than a controller of Kubernetes takes to say what has become of a change. */
const settleMs = 10_000

/** Else --all would repeat it without end. */
async function settled(walk: Walk, options: WalkOptions, step: Step): Promise<Stand> {
  let after = await standOf(walk, options)
  await waitFor({ ...walk, withinMs: Math.min(walk.withinMs, settleMs) }, async () => {
    const now = after.steps.find(({ name }) => name === step.name)
    if (now === undefined || now.isDone) return ''
    after = await standOf(walk, options)
    return undoneText(walk, after.progress, step.writes)
  })
  return after
}
