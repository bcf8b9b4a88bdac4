// Where is a lab recorded? In a folder in /run, which, like the namespaces, does not survive a
// reboot.
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Fault, faultFrom } from '../../edge/kube/api/fault.ts'
import { isRecord } from '../../edge/kube/decode/fields.ts'
import type { Lab, Settings } from './lab.ts'
import { keyFileOf } from './labPaths.ts'
import { topologyOf, usualName } from './topology.ts'

const root = '/run/berth-lab'
const folderOf = (name: string): string => join(root, name)
const namedIn = (name: string): string => (name === usualName ? '' : ` --name ${name}`)

/** Creating the folder is the lock: of two concurrent starts, one is refused. */
export function beginLab(settings: Settings): Lab {
  const { name } = settings
  const folder = folderOf(name)
  try {
    mkdirSync(root, { recursive: true, mode: 0o755 })
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!existsSync(folder)) throw faultFrom(error, folder)
    throw new Fault(`lab ${name} already exists; remove it with 'berth lab down${namedIn(name)}'`)
  }
  for (const part of ['logs', 'api']) mkdirSync(join(folder, part))
  const lab: Lab = { settings, tasks: [], failures: [], folder, topology: topologyOf(settings) }
  writeFileSync(keyFileOf(lab), `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  writeLab(lab)
  return lab
}

/** Atomic: a crash must not leave an unreadable lab. */
export function writeLab({ folder, settings, tasks, failures }: Lab): void {
  const file = join(folder, 'lab.json')
  writeFileSync(`${file}.new`, `${JSON.stringify({ settings, tasks, failures }, undefined, 2)}\n`)
  renameSync(`${file}.new`, file)
}

export function readLab(name: string): Lab {
  const lab = findLab(name)
  if (lab !== undefined) return lab
  throw new Fault(`there is no lab ${name}; create it with 'berth lab up${namedIn(name)}'`)
}

/** Undefined if there is none, or it cannot be read. */
export function findLab(name: string): Lab | undefined {
  const folder = folderOf(name)
  try {
    const json: unknown = JSON.parse(readFileSync(join(folder, 'lab.json'), 'utf8'))
    return isWritten(json) ? { ...json, folder, topology: topologyOf(json.settings) } : undefined
  } catch {
    return undefined
  }
}

/** We wrote the file ourselves, so only its outline is checked. */
const isWritten = (json: unknown): json is Pick<Lab, 'settings' | 'tasks' | 'failures'> =>
  isRecord(json) &&
  isRecord(json['settings']) &&
  Array.isArray(json['tasks']) &&
  Array.isArray(json['failures'])

/** Returns whether there was one. */
export function removeFolder(name: string): boolean {
  const folder = folderOf(name)
  if (!existsSync(folder)) return false
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  if (readdirSync(root).length === 0) rmdirSync(root)
  return true
}
