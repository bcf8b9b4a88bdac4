// What is wrong between a client and an address? The worst finding comes first.
import { counted } from '../../../core/net/counted.ts'
import type { Mac } from '../../../core/net/mac.ts'

export type Answer = { readonly mac: Mac; readonly ms: number }
/** The kernel's neighbour entry. */
export type Neighbour = { readonly mac: string; readonly state: string }
export type Reach = { readonly how: string; readonly ms: number | undefined }

export type Seen = {
  readonly asked: number
  readonly answers: readonly Answer[]
  /** As it was before the probe; undefined if there was none. */
  readonly neighbour: Neighbour | undefined
  readonly reached: readonly Reach[]
}

export type Finding = {
  readonly word: 'two-macs' | 'no-answer' | 'wrong-mac' | 'stale-entry' | 'not-passed-on' | 'lossy'
  readonly text: string
  readonly remedy: string
}

/** The kernel uses such an entry without asking again. */
const trusted = new Set(['REACHABLE', 'PERMANENT', 'NOARP'])

export function findingsOf(seen: Seen): readonly Finding[] {
  const { answers, asked, reached } = seen
  const macs = [...new Set(answers.map(({ mac }) => mac))].sort()
  if (macs.length === 0) return [noAnswer(seen)]
  const found: Finding[] = []
  if (macs.length > 1) {
    found.push({
      word: 'two-macs',
      text: `${counted(macs.length, 'machine')} answer for it: ${macs.join(', ')}`,
      remedy:
        'look for another host with this address, or for speakers that cannot reach each other',
    })
  }
  const entry = entryFinding(seen, macs)
  if (entry !== undefined) found.push(entry)
  if (reached.length > 0 && reached.every(({ ms }) => ms === undefined)) {
    found.push({
      word: 'not-passed-on',
      text: `${macs.join(', ')} answers for it, but traffic sent there gets no answer`,
      remedy: 'check kube-proxy, the endpoints and network policies on that node',
    })
  }
  if (answers.length < asked && macs.length === 1) {
    found.push({
      word: 'lossy',
      text: `${asked - answers.length} of ${counted(asked, 'request')} got no answer`,
      remedy: 'check the link for lost frames and the node for overload',
    })
  }
  return found
}

const noAnswer = ({ asked }: Seen): Finding => ({
  word: 'no-answer',
  text: `no answer to ${counted(asked, 'request')}`,
  remedy: "check whether it is announced: 'berth status' and 'berth explain address' show why not",
})

function entryFinding({ neighbour }: Seen, macs: readonly string[]): Finding | undefined {
  if (neighbour === undefined || macs.includes(neighbour.mac)) return undefined
  const { mac, state } = neighbour
  return {
    word: trusted.has(state) ? 'wrong-mac' : 'stale-entry',
    text: `this host has ${mac} for it (${state.toLowerCase()}), but ${macs.join(', ')} answers`,
    remedy:
      'the announcement did not reach this host; remove the entry with `ip neigh flush to ADDRESS`',
  }
}
