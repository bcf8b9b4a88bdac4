// berth site apply: the wire is asked first, then the addresses change, for a while. Who does not
// commit in time gets the old ones back: the controller sees to that, whatever becomes of us.
import { setTimeout } from 'node:timers/promises'
import { type Json, recordAt, textAt } from '../../../core/model/json.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import type { Exit, Io } from '../io.ts'
import { wantedOf } from './siteMove.ts'
import { externalIn, moveOf, readSite, replaceSite, withSpec } from './siteObject.ts'
import { probeWire } from './siteWire.ts'

type Applying = {
  readonly wanted: Json
  readonly there: Json | undefined
  /** 0: it counts as committed. */
  readonly withinMs: number
  readonly isProbed: boolean
  readonly interface: string
}

const [patienceMs, pauseMs] = [60_000, 250]

export async function applySite(api: Api, applying: Applying, io: Io): Promise<Exit> {
  const { wanted, there, withinMs } = applying
  const external = externalIn(wanted)
  if (there !== undefined && isApplied(there, external)) return alreadyThere(there, io)
  if (external !== undefined && applying.isProbed) {
    const isFree = await isWireFree(api, applying, io)
    if (!isFree) return 2
  }
  const move = withinMs === 0 || there === undefined ? undefined : moveFor(there, withinMs)
  const site = await replaceSite(api, withSpec(wanted, { move }))
  io.out(`applied: ${wantedOf(site)}\n`)
  const isReady = await isMade(api, external, io)
  if (!isReady) {
    io.err('berth: the addresses are not in use yet: berth site status tells what they wait for\n')
  }
  if (move !== undefined) {
    io.out(
      `taken back at ${move.commitBy} unless committed: berth site verify, then berth site commit\n`,
    )
  }
  return isReady ? 0 : 1
}

/** What a move goes back to is what counts now, also while another move waits. */
function moveFor(there: Json, withinMs: number): { commitBy: string; before?: Json } {
  const { state, before: earlier } = moveOf(there)
  const before = state === 'Settled' ? externalIn(there) : earlier
  const commitBy = new Date(Date.now() + withinMs).toISOString().replace(/\.\d+Z$/, 'Z')
  return { commitBy, ...(before === undefined ? {} : { before }) }
}

/** Whether the API has it already, as after a command that was cut off. */
const isApplied = (there: Json, external: Json | undefined): boolean =>
  moveOf(there).state !== 'RolledBack' && sorted(externalIn(there)) === sorted(external)

function alreadyThere(there: Json, io: Io): Exit {
  const { state, commitBy } = moveOf(there)
  io.out(`nothing to do: ${wantedOf(there)} is applied already\n`)
  if (state === 'Pending') io.out(`taken back at ${commitBy} unless committed\n`)
  return 0
}

/** The API fills in defaults, which nobody wrote. */
const sorted = (external: Json | undefined): string =>
  JSON.stringify(
    external === undefined ? 'none' : { announce: 'Layer2', ...external },
    (_, part) =>
      isRecord(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
  )

async function isWireFree(api: Api, applying: Applying, io: Io): Promise<boolean> {
  const { wanted, interface: named } = applying
  const internalNetwork = textAt(recordAt(wanted, 'spec'), 'internalNetwork')
  const external = externalIn(wanted) ?? {}
  const findings = await probeWire(api, { external, internalNetwork, interface: named }, io)
  for (const { word, text, remedy, isFatal } of findings) {
    io.err(`${isFatal ? 'berth' : 'warning'}: ${word}: ${text}\n  ${remedy}\n`)
  }
  const isFree = !findings.some(({ isFatal }) => isFatal)
  if (!isFree) io.err('berth: nothing was changed\n')
  return isFree
}

/** Until the controller says that the new addresses count and everything is made. */
async function isMade(api: Api, external: Json | undefined, io: Io): Promise<boolean> {
  const end = performance.now() + patienceMs
  const api_ = external === undefined ? undefined : textAt(external, 'apiVIP')
  while (performance.now() < end && !io.signal.aborted) {
    const status = recordAt(await readSite(api), 'status')
    const { apiVIPs } = recordAt(status, 'external')
    const shown = Array.isArray(apiVIPs) ? String(apiVIPs[0]) : undefined
    const { conditions } = status
    const ready = (Array.isArray(conditions) ? conditions.filter(isRecord) : []).find(
      (one) => one['type'] === 'Ready',
    )
    if (shown === api_ && ready?.['status'] === 'True') return true
    await setTimeout(pauseMs)
  }
  return false
}
