// Which process is meant? Known by pid and start: a number that was given to another program since
// is not it.
import { readFileSync } from 'node:fs'

export type Process = {
  readonly pid: number
  /** When it began, in the kernel's ticks; '' where there was none. */
  readonly since: string
}

export const processAt = (pid: number): Process => ({ pid, since: sinceOf(pid) })

export const isAlive = ({ pid, since }: Process): boolean => since !== '' && sinceOf(pid) === since

/** 0 where there is none. */
export const parentOf = (pid: number): number => Number(statOf(pid)[1] ?? 0)

/** What is left of one that has ended is none. */
function sinceOf(pid: number): string {
  const stat = statOf(pid)
  return stat[0] === 'Z' ? '' : (stat[19] ?? '')
}

/** From the state on. The name may hold spaces and brackets: what counts is behind the last one. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
