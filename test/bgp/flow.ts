// Does a client notice? One that asks without a pause, and what the kernel of a router did meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../kube/waits.ts'
import type { Lab } from '../lab/namespaces.ts'

export type Flow = {
  /** Until so many more requests were answered or failed. */
  readonly answers: (count: number) => Promise<true>
  /** What failed since the start. */
  readonly stop: () => readonly string[]
}

/** Each request has a connection of its own, so that the router spreads them over the nodes. */
const asking = (url: string): string =>
  `while :; do curl -sS -m 10 -o /dev/null -w '%{http_code}\\n' ${url} 2>&1; done`

export function flow(lab: Lab, url: string): Flow {
  const lines: string[] = []
  const child = lab.start('client-1', 'bash', '-c', asking(url))
  child.stdout?.on('data', (bytes) => lines.push(...String(bytes).trim().split('\n')))
  return {
    answers(count) {
      const wanted = lines.length + count
      return until(`${count} requests`, () => (lines.length >= wanted ? true : undefined))
    },
    stop() {
      child.kill('SIGKILL')
      return lines.filter((line) => line !== '200')
    },
  }
}

/** Every change of its routes, one on a line. */
export async function recorded(lab: Lab, machine: string): Promise<{ stop(): readonly string[] }> {
  let text = ''
  const child = lab.start(machine, 'ip', '-o', 'monitor', 'route')
  child.stdout?.on('data', (bytes) => {
    text += String(bytes)
  })
  // It says nothing of its own start.
  await sleep(500)
  return {
    stop() {
      child.kill('SIGKILL')
      return text.split('\n').filter((line) => line !== '')
    },
  }
}
