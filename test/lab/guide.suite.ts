// Do the lines of README and guide print what they show? Each of them, in order, in a lab of its own.
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { consoleIn } from '../build/console.ts'
import { until } from '../kube/waits.ts'
import { berthLab, run } from './namespaces.ts'

const name = 'guide'
const labSteps = (file: string) =>
  consoleIn(readFileSync(file, 'utf8')).filter(({ command }) => command.includes('berth lab'))

/** Under another name: the lab of who runs this stays as it is. */
const shell = (command: string): string => {
  const named = command.replace(/^sudo (\.\/berth lab \w+)/, `$1 --name ${name}`)
  return run(['bash', '-c', `exec 2>&1\n${named}`]).out
}
/** A last line of dots stands for the rest of the output. */
const shown = (text: string, output: string): string =>
  output.endsWith('\n...\n') && text.startsWith(output.slice(0, -4)) ? output : text
const alike = (text: string): string =>
  text
    .replaceAll(` --name ${name}`, '')
    .replaceAll(`lab ${name}`, 'lab main')
    .replaceAll(`/${name}/`, '/main/')

/** What is written a moment later is looked at again; what makes something is done once. */
const isLook = (command: string): boolean => /lab (exec client-1|status)/.test(command)

describe.skipIf(inject('lab') === '')('documents', () => {
  afterEach(() => void berthLab(name, 'down'))

  test.each(['README.md', 'docs/guides/layer2.md'])('%s prints what it shows', async (file) => {
    for (const { command, output } of labSteps(file)) {
      let text = alike(shell(command))
      if (isLook(command)) {
        const look = () => {
          text = text === output ? text : alike(shell(command))
          return text === output ? true : undefined
        }
        await until(command, look, 20_000).catch(() => undefined)
      }
      expect(`$ ${command}\n${shown(text, output)}`).toBe(`$ ${command}\n${output}`)
    }
  })
})
