// What is wrong between a client and an address? Judged from what was seen; the first is the worst.
import type { Mac } from '../../../core/net/mac.ts'

export type Answer = { readonly mac: Mac; readonly ms: number }
/** What the kernel believes. */
export type Neighbour = { readonly mac: string; readonly state: string }
export type Reach = { readonly how: string; readonly ms: number | undefined }

export type Seen = {
  readonly asked: number
  readonly answers: readonly Answer[]
  /** As it was before we asked; undefined where there is none. */
  readonly neighbour: Neighbour | undefined
  readonly reached: readonly Reach[]
}

export type Finding = {
  readonly word: 'two-macs' | 'no-answer' | 'wrong-mac' | 'stale-entry' | 'not-passed-on' | 'lossy'
  readonly text: string
  readonly remedy: string
}

/** The kernel sends to such an entry without asking anybody. */
const trusted = new Set(['REACHABLE', 'PERMANENT', 'NOARP'])

export function findingsOf(seen: Seen): readonly Finding[] {
  const { answers, asked, reached } = seen
  const macs = [...new Set(answers.map(({ mac }) => mac))].sort()
  if (macs.length === 0) return [noAnswer(seen)]
  const found: Finding[] = []
  if (macs.length > 1) {
    found.push({
      word: 'two-macs',
      text: `${macs.length} machines answer for it: ${macs.join(', ')}`,
      remedy: 'look for another host with that address, or for speakers that do not see each other',
    })
  }
  const entry = entryFinding(seen, macs)
  if (entry !== undefined) found.push(entry)
  if (reached.length > 0 && reached.every(({ ms }) => ms === undefined)) {
    found.push({
      word: 'not-passed-on',
      text: `${macs.join(', ')} answers for it, and what is sent there is not answered`,
      remedy: 'look at kube-proxy and the endpoints on that node; may anything else have failed?',
    })
  }
  if (answers.length < asked && macs.length === 1) {
    found.push({
      word: 'lossy',
      text: `${asked - answers.length} of ${asked} questions were not answered`,
      remedy: 'look at the link: frames are lost, or the node has no time',
    })
  }
  return found
}

const noAnswer = ({ asked }: Seen): Finding => ({
  word: 'no-answer',
  text: `nobody answers for it: ${asked} questions`,
  remedy: "is it announced? 'berth status' and 'berth explain address' say why not",
})

function entryFinding({ neighbour }: Seen, macs: readonly string[]): Finding | undefined {
  if (neighbour === undefined || macs.includes(neighbour.mac)) return undefined
  const { mac, state } = neighbour
  return {
    word: trusted.has(state) ? 'wrong-mac' : 'stale-entry',
    text: `this host has it at ${mac} (${state.toLowerCase()}), and ${macs.join(', ')} answers`,
    remedy: 'the announcement did not arrive here; `ip neigh flush to ADDRESS` forgets the entry',
  }
}
