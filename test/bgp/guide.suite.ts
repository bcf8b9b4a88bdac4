// Do the lab's lines in the guide to BGP print what they show? Each of them, in order, with real FRR.
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { consoleIn } from '../build/console.ts'
import { until } from '../kube/waits.ts'
import { berthLab, run } from '../lab/namespaces.ts'

const name = 'bgpguide'
const steps = consoleIn(readFileSync('docs/guides/bgp.md', 'utf8')).filter(({ command }) =>
  command.includes('berth lab'),
)

/** Under another name: the lab of who runs this stays as it is. */
const shell = (command: string): string => {
  const named = command
    .replace(/^sudo (\.\/berth lab \w+)/, `$1 --name ${name}`)
    .replace('/berth-lab/main/', `/berth-lab/${name}/`)
  return run(['bash', '-c', `exec 2>&1\n${named}`]).out
}

/** How many messages a router sends is its own business. */
const received = /\d+( +(?:Up|Down|N\/A))$/gm

/** A router's tables, in any order: which path is best, and what a session is called, differs. */
const isTable = (command: string): boolean => command.includes(' vtysh ')
/** What follows a moment later is looked at again. */
const isLook = (command: string): boolean => isTable(command) || /berth bgp /.test(command)
const rows = (text: string): string[] =>
  text
    .replace(/^\*[>=]+ +(?:10\.50\.0\.1\/32)?/gm, 'path ')
    .replace(/^\d{6,} +/gm, 'session ')
    .split('\n')
    .map((line) => line.trim().replace(/ +/g, ' '))
    .filter((line) => line !== '')
    .sort()
const alike = (command: string, text: string): unknown =>
  isTable(command)
    ? rows(text)
    : text
        .replace(/^\d+ Services? left\n/gm, '')
        .replace(/\b(?:\d+m)?\d+s\b/g, 'now')
        .replace(received, 'n$1')
        .replace(/ +/g, ' ')

describe.skipIf(!inject('hasRouters'))('the guide to BGP', () => {
  afterAll(() => void berthLab(name, 'down'))

  test('its lines in the lab print what it shows', { timeout: 600_000 }, async () => {
    expect(steps.length).toBeGreaterThan(15)
    for (const { command, output } of steps) {
      const shown = alike(command, output)
      let said: unknown
      const look = () => {
        const lines = alike(command, shell(command))
        // A table has a legend, too.
        const isThere = (row: string) => (shown as string[]).includes(row)
        said = Array.isArray(lines)
          ? lines.filter((row) => isThere(row) || /^path/.test(row))
          : lines
        return output === '' || JSON.stringify(said) === JSON.stringify(shown) || undefined
      }
      if (isLook(command)) await until(command, look, 30_000).catch(() => undefined)
      else look()
      if (output !== '') expect([command, said]).toEqual([command, shown])
    }
  })
})
