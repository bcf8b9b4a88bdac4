// berth site apply: the wire is asked first, then the addresses change, for a while. Who does not
// commit in time gets the old ones back: the controller sees to that, whatever becomes of us.
import { setTimeout } from 'node:timers/promises'
import { type Json, recordAt, textAt } from '../../../core/model/json.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import type { Exit, Io } from '../io.ts'
import { told, wantedOf } from './siteMove.ts'
import { externalIn, moveOf, readSite, replaceSite, withSpec } from './siteObject.ts'
import { listIn, objectText } from './siteText.ts'
import { probeWire, WireFault } from './siteWire.ts'

type Applying = {
  readonly wanted: Json
  readonly there: Json | undefined
  /** 0: it counts as committed. */
  readonly withinMs: number
  readonly isProbed: boolean
  readonly interface: string
}

const [patienceMs, pauseMs] = [20_000, 250]

export async function applySite(api: Api, applying: Applying, io: Io): Promise<Exit> {
  const { wanted, there, withinMs } = applying
  const external = externalIn(wanted)
  if (there !== undefined && isApplied(there, external)) return alreadyThere(there, io)
  if (external !== undefined && applying.isProbed) {
    const refused = await wireRefuses(api, applying, io)
    if (refused !== undefined) return refused
  }
  const move = withinMs === 0 || there === undefined ? undefined : moveFor(there, withinMs)
  const site = await replaceSite(api, withSpec(wanted, { move }))
  io.out(`applied: ${wantedOf(site)}\n`)
  const mostMs = move === undefined ? patienceMs : Math.min(patienceMs, withinMs)
  const missing = await missingAfter(api, external, { patienceMs: mostMs, signal: io.signal })
  for (const one of missing ?? []) io.err(`warning: ${objectText(one)}\n`)
  if (missing === undefined) {
    io.err('berth: the addresses are not in use yet: berth site status tells what they wait for\n')
  }
  if (move !== undefined) {
    io.out(
      `taken back at ${move.commitBy} unless committed: berth site verify, berth site commit\n`,
    )
  }
  return missing === undefined ? 1 : 0
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

/** Ignores defaults that the API filled in. */
const sorted = (external: Json | undefined): string =>
  JSON.stringify(
    external === undefined ? 'none' : { announce: 'Layer2', ...external },
    (_, part) =>
      isRecord(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
  )

/** The exit status if nothing may be applied. */
async function wireRefuses(api: Api, applying: Applying, io: Io): Promise<Exit | undefined> {
  try {
    return (await isWireFree(api, applying, io)) ? undefined : 2
  } catch (error) {
    if (!(error instanceof WireFault)) throw error
    return told(io, error.message)
  }
}

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

/** The routes are in nobody's way to the addresses: what becomes of them is told beside. */
const isRoute = (object: Json): boolean => object['kind'] === 'NodeNetworkConfigurationPolicy'

type Patience = { readonly patienceMs: number; readonly signal: AbortSignal }

/** Until the controller says that the new addresses count; what is not made then. */
async function missingAfter(
  api: Api,
  external: Json | undefined,
  { patienceMs: mostMs, signal }: Patience,
): Promise<readonly Json[] | undefined> {
  const end = performance.now() + mostMs
  const wanted = external === undefined ? undefined : textAt(external, 'apiVIP')
  while (performance.now() < end && !signal.aborted) {
    const status = recordAt(await readSite(api), 'status')
    const { apiVIPs } = recordAt(status, 'external')
    const shown = Array.isArray(apiVIPs) ? String(apiVIPs[0]) : undefined
    const missing = listIn(status, 'objects').filter((one) => one['state'] !== 'Made')
    if (shown === wanted && missing.every(isRoute)) return missing
    await setTimeout(pauseMs)
  }
  return undefined
}
