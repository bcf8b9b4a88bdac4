// berth migrate plan, step, status, finish and back: walks the steps one at a time, and asks the
// API anew before each.

import { meant } from '../../../../core/model/meant.ts'
import { formatted } from '../../formatted.ts'
import type { Exit } from '../../io.ts'
import { loadLive } from '../../live/loadLive.ts'
import { newSession } from '../../load.ts'
import { type Progress, readProgress } from './progress.ts'
import { berthOwn, metallbOwn } from './removal.ts'
import type { Direction, Step } from './step.ts'
import { movesOf, stepsBack } from './stepsBack.ts'
import { stepsFinish } from './stepsFinish.ts'
import { stepsIn } from './stepsIn.ts'
import { Stopped, type Walk } from './walk.ts'
import { foundText, stepsText, stepsView } from './walkText.ts'

export type WalkOptions = {
  readonly direction: Direction
  readonly acceptsMoves: boolean
  readonly format: string
}

type Position = { readonly progress: Progress; readonly steps: readonly Step[] }

async function standOf(walk: Walk, options: WalkOptions): Promise<Position> {
  const progress = await readProgress(walk)
  const { direction, acceptsMoves } = options
  const isThere = progress.controllers.length + progress.speakers.length > 0
  if (direction === 'in') return { progress, steps: isThere ? stepsIn(progress, walk) : [] }
  if (direction === 'finish') {
    const before = stepsIn(progress, walk).filter(({ isDone }) => !isDone)
    const own = await metallbOwn(walk)
    // Once MetalLB is removed there is nothing to walk in from.
    const left = own.length === 0 ? [] : before
    return { progress, steps: [...left, ...stepsFinish(progress, own)] }
  }
  const session = await newSession(walk.io, { ownNamespace: walk.namespace, loadBalancerClass: '' })
  await loadLive(session, walk.api)
  const moves = movesOf(session.cluster.world)
  const steps = stepsBack(progress, { own: await berthOwn(walk), moves, acceptsMoves })
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
  for (let count = 0; ; count++) {
    const { steps } = await standOf(walk, options)
    const next = steps.find(({ isDone, name }) =>
      which.name === '' ? !isDone : name === which.name,
    )
    if (next === undefined) {
      if (which.name !== '') {
        const near = meant(
          which.name,
          steps.map(({ name }) => name),
        )
        io.err(`berth: there is no step ${which.name}; 'berth migrate plan' lists them${near}\n`)
        return 1
      }
      io.out(count === 0 ? 'nothing is left to do\n' : 'all steps are done\n')
      return 0
    }
    const isBefore = which.name !== '' && steps.slice(0, steps.indexOf(next)).some(notDone)
    if (isBefore && next.name !== 'keep') {
      io.err(`berth: ${steps.find(notDone)?.name} comes before ${next.name}\n`)
      return 1
    }
    if (next.isDone) io.out(`${next.name}: done before\n`)
    else if (!(await runOne(walk, next, options.direction))) return 1
    if (!which.all) return 0
  }
}

const notDone = ({ isDone }: Step): boolean => !isDone

async function runOne(walk: Walk, step: Step, direction: Direction): Promise<boolean> {
  const { io } = walk
  io.err(`${step.name}: ${step.title}\n`)
  try {
    await step.run(walk)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    io.err(`berth: ${step.name} stopped: ${error.message}\n`)
    const other = direction === 'back' ? '' : ', or berth migrate back to return'
    io.err(`What was done stays done. Run the same command again to go on${other}.\n`)
    return false
  }
  io.out(`${step.name}: done\n`)
  return true
}
