// Which process runs on this folder?
import { readFileSync, rmSync } from 'node:fs'
import { isAlive, type Process, processAt } from '../../edge/host/process.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { type Folder, writePrivate } from './folder.ts'

export type Running = Process & {
  readonly server: string
  /** The address that it listens on. */
  readonly listen?: string
  readonly isAnnouncing?: boolean
}

type Served = Required<Pick<Running, 'server' | 'listen' | 'isAnnouncing'>>

export function tellRunning({ running }: Folder, served: Served): void {
  const { server, listen, isAnnouncing } = served
  const told: Running = { ...processAt(process.pid), server, listen, isAnnouncing }
  writePrivate(running, `${JSON.stringify(told)}\n`)
}

export function tellStopped({ running }: Folder): void {
  rmSync(running, { force: true })
}

export const runsAlready = ({ path }: Folder, { pid, server }: Running): Fault =>
  new Fault(
    `already running on ${path}: process ${pid}, ${server}. ` +
      "Stop it with 'berth down', or choose another folder with --data",
  )

/** Undefined if none runs, even if a killed process left its file behind. */
export function whoRuns({ running }: Folder): Running | undefined {
  try {
    const told: unknown = JSON.parse(readFileSync(running, 'utf8'))
    return isRunning(told) && isAlive(told) ? told : undefined
  } catch {
    return undefined
  }
}

function isRunning(json: unknown): json is Running {
  if (typeof json !== 'object' || json === null) return false
  if (!('pid' in json && 'since' in json && 'server' in json)) return false
  const { pid, since, server } = json
  if ('listen' in json && typeof json.listen !== 'string') return false
  if ('isAnnouncing' in json && typeof json.isAnnouncing !== 'boolean') return false
  return typeof pid === 'number' && typeof since === 'string' && typeof server === 'string'
}
