// Does a terminal print what a document shows? Each command once, in order, as it stands.
import { expect } from 'vitest'
import type { Step } from '../build/console.ts'
import { until } from '../kube/waits.ts'

/** What follows a moment later is looked at again; what makes something is done once. */
const isLook = (command: string): boolean =>
  /^(?:kubectl get|(?:\.\/)?berth (?:explain|plan)) /.test(command) && !command.includes(' > ')

/** `run` answers both streams, in the order in which they came. */
export async function followed(
  steps: readonly Step[],
  run: (command: string) => string,
): Promise<void> {
  for (const { command, output } of steps) {
    let text = ''
    const look = () => {
      text = alike(run(command))
      return !isLook(command) || text === alike(output) || undefined
    }
    await until(command, look, 20_000).catch(() => undefined)
    expect(`$ ${command}\n${text}`).toBe(`$ ${command}\n${alike(output)}`)
  }
}

/** Cluster IPs and node ports are given at random; ages pass; columns are as wide as these. */
const alike = (text: string): string =>
  text
    .replace(/\b10\.\d+\.\d+\.\d+\b/g, '10.x')
    .replace(/\b3\d{4}\/TCP/g, '3xxxx/TCP')
    .replace(/\b(?:\d+m)?\d+s\b/g, 'now')
    .replace(/ +/g, ' ')
