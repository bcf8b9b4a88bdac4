// Is this still the same process? It is identified by pid and start time, because a pid may be
// reused.
import { readFileSync } from 'node:fs'

export type Process = {
  readonly pid: number
  /** Start time in kernel ticks; '' if there was no such process. */
  readonly since: string
}

export const processAt = (pid: number): Process => ({ pid, since: sinceOf(pid) })

export const isAlive = ({ pid, since }: Process): boolean => since !== '' && sinceOf(pid) === since

/** 0 if there is none. */
export const parentOf = (pid: number): number => Number(statOf(pid)[1] ?? 0)

/** A zombie counts as ended. */
function sinceOf(pid: number): string {
  const stat = statOf(pid)
  return stat[0] === 'Z' ? '' : (stat[19] ?? '')
}

/** The fields from the state on. The name may hold spaces and brackets: skip to the last one. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
