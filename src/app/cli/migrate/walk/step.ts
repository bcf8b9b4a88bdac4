// What is a step of the migration? It reads from the progress whether it is done, and how to do it.
import type { Progress } from './progress.ts'
import type { Walk } from './walk.ts'

export type Step = {
  /** As it is named on the command line. */
  readonly name: string
  readonly title: string
  /** What it changes, a line each, for `plan`. */
  readonly does: readonly string[]
  readonly isDone: boolean
  /** Of MetalLB's own workloads: those that it writes, which somebody else may write as well. */
  readonly writes?: 'DaemonSet' | 'Deployment'
  /** It only says what to do. */
  readonly isForPeople?: true
  readonly run: (walk: Walk) => Promise<void>
}

export type Direction = 'in' | 'finish' | 'back'
export type StepsOf = (progress: Progress, walk: Walk) => readonly Step[]
