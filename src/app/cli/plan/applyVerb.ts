// berth apply: carries out a saved plan, but only if everything is as it was when it was made.
import { counted } from '../../../core/net/counted.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import type { Read } from '../../../edge/manifests/manifest.ts'
import type { Exit, Io } from '../io.ts'
import { apiOptions, liveOptions, liveSettings, withCluster } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { newSession } from '../load.ts'
import { tellTroubles } from '../troubles.ts'
import { UsageError, type Verb } from '../verb.ts'
import { visible } from '../visible.ts'
import { carryOut, idIn } from './carryOut.ts'
import { predict } from './predict.ts'
import { changesSince, outcomeText, readSaved, type SavedPlan, standingOf } from './savedPlan.ts'

export const applyVerb: Verb = {
  name: 'apply',
  summary: 'carry out a plan that plan --out saved, if nothing has changed since',
  usage: ['apply FILE [--context NAME] [--kubeconfig FILE]'],
  description: `
Carries out a plan that 'berth plan --live --out FILE' saved: applies its manifests as kubectl apply
does, then deletes what the plan deletes. Before that, the cluster is read and planned again. If an
object that the plan depends on has changed, appeared or gone, or if the outcome would now be
different, nothing is written. Each write is bound to the version that was read.

Exit status: 0 done; 2 something has changed, and nothing was written; 1 the file could not be read,
the API could not be reached, or it refused a write (what was written until then is listed).`,
  examples: [
    'berth plan -f my-change.yaml --context production --out change.plan',
    'berth apply change.plan --context production',
  ],
  takes: 1,
  options: { ...apiOptions, 'lb-class': liveOptions['lb-class'] },
  async run(args, io): Promise<Exit> {
    const [file = ''] = args.positionals
    if (file === '') throw new UsageError('name the saved plan')
    const settings = liveSettings(args, io)
    const saved = await savedIn(file)
    if (typeof saved === 'string') {
      io.err(`${visible(`berth: ${saved}`)}\n`)
      return 1
    }
    return withCluster(args, io, async ({ api }) => {
      const session = await newSession(io, settings)
      const there = await loadLive(session, api)
      if (tellTroubles([there], io) > 0) return 1
      const changes = changesSince(saved.stood, standingOf(there))
      if (changes.length > 0) return refuse(io, changes)
      const change = { reads: saved.apply.map(read), deletions: saved.deletions }
      const { plan, wanted, kept } = await predict(session, there, change)
      if (kept.length > 0 || tellTroubles([wanted], io) > 0 || outcomeText(plan) !== saved.plan) {
        return refuse(io, [...kept, 'the outcome would now be different'])
      }
      const done: string[] = []
      const told = (what: string) => io.out(`${note(done, what)}\n`)
      const work = { api, there, done: told, signal: io.signal }
      try {
        await carryOut(work, wantedIn(saved), saved.deletions)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        io.err(`${visible(`berth: ${error.message}`)}\n`)
        io.err(`berth: stopped after ${counted(done.length, 'object')}: plan again\n`)
        return 1
      }
      return 0
    })
  },
}

/** Why it cannot be read is text. */
async function savedIn(file: string): Promise<SavedPlan | string> {
  try {
    return await readSaved(file)
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

function note(done: string[], what: string): string {
  done.push(what)
  return visible(what)
}

const mostTold = 10

function refuse(io: Io, changes: readonly string[]): Exit {
  for (const change of changes.slice(0, mostTold)) io.err(`${visible(change)}\n`)
  if (changes.length > mostTold) io.err(`and ${changes.length - mostTold} more\n`)
  io.err('berth: nothing was written, since this is not what was planned: plan again\n')
  return 2
}

const read = (json: SavedPlan['apply'][number]): Read => ({
  ok: true,
  manifest: { json, source: { file: '', line: 0 }, lineOf: () => 0 },
})

const wantedIn = ({ apply }: SavedPlan) => apply.map((json) => ({ id: idIn(json), json }))
