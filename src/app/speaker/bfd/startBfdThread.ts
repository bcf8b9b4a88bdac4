// How does the speaker drive BFD? It states which sessions it wants; another thread runs them.
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { BfdNews, BfdOrder, BfdPlan } from './bfdMessages.ts'

export type BfdDriver = {
  run(plans: readonly BfdPlan[]): void
  /** Ends once the peers have been told. */
  stop(): Promise<void>
}

type BfdListener = {
  tell(news: BfdNews): void
  /** Although nobody stopped it. */
  ended(why: string): void
}

/** A small young generation: collected often, each time in a fraction of a millisecond. */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 }
const stopMs = 1_000

export function startBfdThread({ tell, ended: lost }: BfdListener): BfdDriver {
  // The worker lies beside this file, as source or as built.
  const file = new URL(`./bfdWorker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(file, { resourceLimits, name: 'bfd' })
  let [isStopping, why] = [false, 'its thread ended']
  worker.on('message', tell)
  worker.on('error', (error) => {
    why = error instanceof Error ? error.message : String(error)
  })
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      if (!isStopping) lost(why)
      resolve()
    })
  })
  const order = (given: BfdOrder): void => worker.postMessage(given)
  return {
    run: (plans) => order({ kind: 'run', plans }),
    async stop() {
      isStopping = true
      order({ kind: 'stop' })
      const late = setTimeout(() => void worker.terminate(), stopMs)
      await Promise.race([ended, sleep(2 * stopMs, undefined, { ref: false })])
      clearTimeout(late)
      worker.unref()
    },
  }
}
