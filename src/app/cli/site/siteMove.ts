// berth site commit, rollback and status: what becomes of a move.
import { type Json, recordAt, textAt } from '../../../core/model/json.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import type { Exit, Io } from '../io.ts'
import { externalIn, moveOf, noSite, readSite, replaceSite, withSpec } from './siteObject.ts'

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
      `too late: the move was taken back at ${commitBy}, and ${addressesOf(site)} count again. ` +
        'Apply it again: berth site apply',
    )
  }
  await replaceSite(api, withSpec(site, { move: undefined }))
  io.out(`committed: ${wantedOf(site)}\n`)
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
  return 0
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

const moveText = (state: string, commitBy: string): string =>
  ({
    Settled: 'none',
    Pending: `waits to be committed, and is taken back at ${commitBy}`,
    RolledBack: `was taken back at ${commitBy}, since nobody committed it`,
  })[state] ?? state

function readyText(status: Json): string {
  const ready = listIn(status, 'conditions').find((one) => one['type'] === 'Ready')
  if (ready === undefined) return 'unknown: no controller has seen it yet'
  const message = textAt(ready, 'message')
  const answer = textAt(ready, 'status') === 'True' ? 'yes' : `no, ${textAt(ready, 'reason')}`
  return message === '' ? answer : `${answer}: ${message}`
}

export function objectText(one: Json): string {
  const name = [textAt(one, 'kind'), textAt(one, 'namespace'), textAt(one, 'name')]
  const message = textAt(one, 'message')
  const said = message === '' ? '' : `: ${message}`
  return `${name.filter((part) => part !== '').join('/')} ${textAt(one, 'state')}${said}`
}

export const listIn = (json: Json, name: string): readonly Json[] => {
  const list = json[name]
  return Array.isArray(list) ? list.filter(isRecord).map((one) => ({ ...one })) : []
}

/** Those that count now. */
export function addressesOf(site: Json): string {
  const { state, before } = moveOf(site)
  const external = state === 'RolledBack' ? before : externalIn(site)
  return external === undefined ? 'none' : pairText(external)
}

export const wantedOf = (site: Json): string => {
  const external = externalIn(site)
  return external === undefined ? 'no external addresses' : pairText(external)
}

function pairText(external: Json): string {
  const one = `API ${textAt(external, 'apiVIP')}, ingress ${textAt(external, 'ingressVIP')}`
  const second = recordAt(external, 'secondary')
  if (textAt(second, 'apiVIP') === '') return one
  return `${one}; API ${textAt(second, 'apiVIP')}, ingress ${textAt(second, 'ingressVIP')}`
}

export function told(io: Io, message: string): 1 {
  io.err(`berth: ${message}\n`)
  return 1
}
