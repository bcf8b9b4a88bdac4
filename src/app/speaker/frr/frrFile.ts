// How does FRR beside the speaker get its configuration? As text in a file, by MetalLB's reloader.
import type { BfdProfile } from '../../../core/model/announcing.ts'
import { type Fitting, frrRouters, type Misfit } from '../../../core/policy/frr/frrRouters.ts'
import { frrText } from '../../../core/policy/frr/frrText.ts'
import {
  askReload,
  lastReload,
  type ReloaderFiles,
  shownBy,
} from '../../../edge/host/frrReloader.ts'
import type { PeerKeys } from '../bgp/peerKeys.ts'
import type { FrrAsked, FrrOutput } from './frrOutput.ts'
import { withPasswords } from './frrPasswords.ts'
import { type FrrSaid, frrShown } from './frrShown.ts'

type FileParts = {
  readonly files: ReloaderFiles
  readonly keys: Pick<PeerKeys, 'keyOf' | 'keep'>
  /** FRR's word. */
  readonly logLevel: string
  /** Of the ConfigMap bgpextras; '' for none. */
  readonly extras: () => Promise<string>
  readonly nowMs: () => number
}

/** The reload tool needs a second or two, more where there is much to change. */
const patienceMs = 30_000
/** Anything older is from an FRR that is gone. */
const freshMs = 30_000

export class FrrFile implements FrrOutput {
  readonly #parts: FileParts
  #written = ''
  #askedMs = 0
  /** What the reloader had said before. */
  #before = ''
  #unread: readonly Misfit[] = []

  constructor(parts: FileParts) {
    this.#parts = parts
  }

  fit(peers: FrrAsked['peers']): Fitting {
    const { routers, misfits } = frrRouters(peers)
    return { routers, misfits: [...misfits, ...this.#unread] }
  }

  /** The reloader writes it every few seconds. */
  async said(): Promise<FrrSaid | undefined> {
    const text = shownBy(this.#parts.files, freshMs)
    return text === undefined ? undefined : frrShown(text)
  }

  async hasTaken(): Promise<boolean> {
    const { outcome, mark } = lastReload(this.#parts.files)
    return outcome === 'success' && mark !== this.#before
  }

  async write({ node, peers, profiles }: FrrAsked): Promise<string> {
    const { keys, logLevel, extras, files, nowMs } = this.#parts
    const found = await withPasswords(peers, keys, () => true)
    this.#unread = found.misfits
    const { routers } = frrRouters(found.peers)
    const { passwords } = found
    const text = frrText({
      ...{ logLevel, hostname: node.name, routers, passwords },
      profiles: used(profiles),
      extras: await extras(),
    })
    const last = lastReload(files)
    const isAnswered = last.mark !== this.#before
    const isLate = !isAnswered && nowMs() - this.#askedMs > patienceMs
    const hasFailed = isAnswered && last.outcome === 'failure'
    const isDue = hasFailed && nowMs() - this.#askedMs > patienceMs
    if (text !== this.#written || isLate || isDue) {
      this.#written = ''
      this.#before = last.mark
      askReload(files, text)
      this.#written = text
      this.#askedMs = nowMs()
    }
    if (hasFailed) return 'FRR refused the configuration: see the log of the reloader'
    return isLate ? `the reloader has not answered for ${patienceMs / 1000} s` : ''
  }
}

/** Their names stand in a line; those of Kubernetes always can. */
const used = (profiles: readonly BfdProfile[]) =>
  profiles.filter(({ name }) => /^[a-z0-9.-]+$/.test(name))
