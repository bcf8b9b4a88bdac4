// berth site commit, rollback and status: what becomes of a move.
import { setTimeout } from 'node:timers/promises'
import { type Json, recordAt, textAt, textsAt } from '../../../core/model/json.ts'
import { parseIp } from '../../../core/net/ip.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Exit, Io } from '../io.ts'
import { externalIn, moveOf, noSite, readSite, replaceSite, withSpec } from './siteObject.ts'
import { listIn, moveText, objectText, pairText, readyText } from './siteText.ts'

const [patienceMs, pauseMs] = [5_000, 100]

export async function commitSite(api: Api, io: Io): Promise<Exit> {
  const site = await readSite(api)
  if (site === undefined) return told(io, noSite)
  const { state, commitBy } = moveOf(site)
  if (state === 'Settled') {
    io.out('no move waits to be committed\n')
    return 0
  }
  if (state === 'RolledBack') {
    return told(
      io,
      `too late: the move was rolled back at ${commitBy}, and ${addressesOf(site)} count again. ` +
        'Apply it again: berth site apply',
    )
  }
  await replaceSite(api, withSpec(site, { move: undefined }))
  io.out(`committed: ${wantedOf(site)}\n`)
  await noted(api, externalIn(site), io)
  return 0
}

export async function rollbackSite(api: Api, io: Io): Promise<Exit> {
  const site = await readSite(api)
  if (site === undefined) return told(io, noSite)
  const { state, before } = moveOf(site)
  if (state === 'Settled') {
    const remedy = 'berth site apply sets other addresses'
    return told(io, `no move waits to be committed, so there is nothing to go back to; ${remedy}`)
  }
  await replaceSite(api, withSpec(site, { external: before, move: undefined }))
  io.out(`rolled back: ${before === undefined ? 'no external addresses' : pairText(before)}\n`)
  await noted(api, before, io)
  return 0
}

/**
 * Until the status says so, for whoever looks next. It counts already, and where the way to the API
 * goes with the addresses there is nothing to wait for.
 */
async function noted(api: Api, external: Json | undefined, { signal }: Io): Promise<void> {
  const wanted = canonical(external === undefined ? '' : textAt(external, 'apiVIP'))
  const end = performance.now() + patienceMs
  while (performance.now() < end && !signal.aborted) {
    const site = await readSite(api, { timeoutMs: patienceMs }).catch(() => undefined)
    if (site === undefined) return
    const status = recordAt(site, 'status')
    const [shown = ''] = textsAt(recordAt(status, 'external'), 'apiVIPs')
    const isSettled = textAt(recordAt(status, 'move'), 'state') === 'Settled'
    if (isSettled && canonical(shown) === wanted) return
    await setTimeout(pauseMs)
  }
}

/** The status has one spelling of an address, the spec the one that somebody wrote. */
function canonical(text: string): string {
  const ip = parseIp(text)
  return ip.ok ? ip.value : text
}

export async function siteStatus(api: Api, io: Io): Promise<Exit> {
  const site = await readSite(api)
  if (site === undefined) return told(io, noSite)
  const { state, commitBy } = moveOf(site)
  const [spec, status] = [recordAt(site, 'spec'), recordAt(site, 'status')]
  const rows = [
    ['internal', textAt(spec, 'internalNetwork')],
    ['external', addressesOf(site)],
    ...listIn(status, 'names').map((one) => [
      'name',
      `${textAt(one, 'name')} -> ${textAt(one, 'address')}`,
    ]),
    ['move', moveText(state, commitBy)],
    ['ready', readyText(status)],
    ...listIn(status, 'objects').map((one) => ['object', objectText(one)]),
  ]
  io.out(rows.map(([name = '', text = '']) => `${name.padEnd(10)}${text}\n`).join(''))
  return 0
}

/** Those that count now. */
function addressesOf(site: Json): string {
  const { state, before } = moveOf(site)
  const external = state === 'RolledBack' ? before : externalIn(site)
  return external === undefined ? 'none' : pairText(external)
}

export const wantedOf = (site: Json): string => {
  const external = externalIn(site)
  return external === undefined ? 'no external addresses' : pairText(external)
}

export function told(io: Io, message: string): 1 {
  io.err(`berth: ${message}\n`)
  return 1
}
