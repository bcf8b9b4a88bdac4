// By what do clients know the embedded API, and it them? Certificates of an authority of its own,
// each renewed before it ends, the authority too.
import { X509Certificate } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { issue, type KeyPair, newAuthority, type Subject } from '../../edge/host/authority.ts'
import { goodUntil } from '../../edge/host/certificateCheck.ts'
import { Fault, faultFrom } from '../../edge/kube/api/fault.ts'

export type Keys = {
  /** Oldest first; all are trusted, so that a copied kubeconfig outlives a change of authority. */
  readonly authorities: readonly KeyPair[]
  readonly server: KeyPair
  readonly admin: KeyPair
  /** Whom our own controllers are to the API. */
  readonly controller: KeyPair
}

export const masters = 'system:masters'
export const controllerUser = 'berth-controller'
export const adminUser = 'berth-admin'
const admin = { user: adminUser, groups: [masters] } as const
const controller = { user: controllerUser, groups: [masters] } as const
const yearMs = 365 * 24 * 3_600_000
const authorityMs = 10 * yearMs
/** The next authority is trusted a year before it signs, so that copies can be made in time. */
const [announceMs, signMs] = [2 * yearMs, yearMs]
/** Clocks of clients may be behind. */
const earlyMs = 3_600_000

export const trustOf = ({ authorities }: Keys): string =>
  authorities.map(({ cert }) => cert).join('')

/** What is still good stays: without need nothing is made anew, and no kubeconfig changes. */
export async function renewed(
  before: Keys | undefined,
  names: readonly string[],
  now: Date,
): Promise<Keys> {
  const authorities = await renewedAuthorities(before?.authorities ?? [], now)
  const signer =
    authorities.find(({ cert }) => hasBegun(cert, now) && leftMs(cert, now) > signMs) ??
    authorities.at(-1)
  if (signer === undefined) throw new Fault('there is no authority to sign with')
  const pair = async (kept: KeyPair | undefined, subject: Subject): Promise<KeyPair> => {
    const served = 'names' in subject ? subject.names : []
    const end = kept === undefined ? undefined : goodUntil({ ...kept, ca: signer.cert }, served)
    const isFresh = end !== undefined && end.getTime() - now.getTime() > yearMs / 3
    if (kept !== undefined && isFresh && hasBegun(kept.cert, now)) return kept
    return issue(signer, subject, spanFrom(now, yearMs))
  }
  return {
    authorities,
    server: await pair(before?.server, { names }),
    admin: await pair(before?.admin, admin),
    controller: await pair(before?.controller, controller),
  }
}

/** One that has not begun was made while the clock was ahead: it is good again when that is so. */
async function renewedAuthorities(before: readonly KeyPair[], now: Date): Promise<KeyPair[]> {
  const kept = before.filter(({ cert }) => leftMs(cert, now) > 0)
  const begun = kept.filter(({ cert }) => hasBegun(cert, now))
  if (begun.some(({ cert }) => leftMs(cert, now) > announceMs)) return kept
  return [...kept, await newAuthority(spanFrom(now, authorityMs))]
}

const spanFrom = (now: Date, ms: number) => ({
  from: new Date(now.getTime() - earlyMs),
  until: new Date(now.getTime() + ms),
})

const leftMs = (cert: string, now: Date): number =>
  new X509Certificate(cert).validToDate.getTime() - now.getTime()

const hasBegun = (cert: string, now: Date): boolean =>
  new X509Certificate(cert).validFromDate <= now

/** Undefined when there are none yet. */
export function readKeys(file: string): Keys | undefined {
  let text: string
  try {
    text = readOwn(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw faultFrom(error, `${file} cannot be read`)
  }
  const keys = keysIn(text)
  if (keys !== undefined) return keys
  throw new Fault(
    `${file} does not hold certificates; move it away to have new ones made, ` +
      'which ends the use of every copied kubeconfig',
  )
}

/** Keys that somebody else put there would let that one in as our administrator. */
function readOwn(file: string): string {
  const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { uid, mode } = fstatSync(opened)
    const isOwn = uid === process.geteuid?.()
    if (!isOwn || (mode & 0o022) !== 0) {
      const whose = isOwn ? 'can be written by others' : `belongs to another user (${uid})`
      throw new Fault(`${file} ${whose}: run as its owner, or name another folder (--data)`)
    }
    return readFileSync(opened, 'utf8')
  } finally {
    closeSync(opened)
  }
}

function keysIn(text: string): Keys | undefined {
  try {
    const keys: unknown = JSON.parse(text)
    return isKeys(keys) ? keys : undefined
  } catch {
    return undefined
  }
}

function isKeys(json: unknown): json is Keys {
  if (typeof json !== 'object' || json === null) return false
  if (!('authorities' in json && Array.isArray(json.authorities))) return false
  if (!('server' in json && 'admin' in json && 'controller' in json)) return false
  return [...json.authorities, json.server, json.admin, json.controller].every(isPair)
}

function isPair(json: unknown): json is KeyPair {
  if (typeof json !== 'object' || json === null || !('cert' in json && 'key' in json)) return false
  try {
    new X509Certificate(String(json.cert))
    return typeof json.key === 'string'
  } catch {
    return false
  }
}
