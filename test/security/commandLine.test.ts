// Text written by others controls the terminal of its reader, or has files read. The attacker holds a
// name, a message or an annotation in the API, or a folder that somebody lints. Afterwards: no control
// character except line breaks is printed, and nothing from files outside the folder.
// Before: an annotation set the title of the terminal, and a link led out of the folder.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/app/cli/runCli.ts'
import type { Verb } from '../../src/app/cli/verb.ts'
import { newFolder } from '../build/newFolder.ts'
import { berth, nowhere } from '../build/terminal.ts'

const title = '\u001b]0;owned\u0007'
const hidden = '\u009b8m\u007f\b\u202e\u2066'

test('a verb that prints what it read prints no control characters', async () => {
  const printed: string[] = []
  const say = (text: string): void => void printed.push(text)
  const verb: Verb = {
    ...{ name: 'echo', summary: '', usage: [], description: '', examples: [], options: {} },
    run: async (_, io) => {
      io.out(`a name ${title}\n`)
      io.err(`a message ${hidden}\n`)
      return 0
    },
  }
  for (const isTerminal of [true, false]) {
    await runCli([verb], ['echo'], { ...nowhere, out: say, err: say, isTerminal })
  }
  await runCli([verb], [title], { ...nowhere, out: say, err: say })
  expect(printed.join('')).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
  expect(printed[0]).toBe('a name \\u001b]0;owned\\u0007\n')
})

const pool = (name: string, addresses: string) => `\
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata:
  name: ${JSON.stringify(name)}
  namespace: metallb-system
  annotations:
    note: ${JSON.stringify(title)}
spec:
  addresses: [${JSON.stringify(addresses)}]
`

test.each(['lint', 'plan', 'explain', 'migrate'])('%s', async (verb) => {
  const text = `${pool(`p${title}`, `10.0.0.1${hidden}`)}---\n${pool('good\nbad', '10.0.0.0/24')}`
  const { out, err } = await berth([verb, '-f', '-'], text)
  expect(`${out}${err}`).not.toMatch(/[^\P{Cc}\n]/u)
  expect(`${out}${err}`).not.toMatch(/^bad/m)
})

test('a folder does not lead out of itself', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'mine'))
  writeFileSync(join(folder, 'secret'), 'root:x:0:0:the password\n')
  symlinkSync('../secret', join(folder, 'mine', 'pool.yaml'))
  const { out, err } = await berth(['lint', '-f', join(folder, 'mine')])
  expect(`${out}${err}`).toContain('a link that leads out of the folder')
  expect(`${out}${err}`).not.toContain('password')
})

test('a file that is no manifest is not read out', async () => {
  const file = join(newFolder(), 'secret')
  writeFileSync(file, `${'x'.repeat(60)} the password\n`)
  const { out, err } = await berth(['lint', '-f', file])
  expect(`${out}${err}`).toContain('an object is expected')
  expect(`${out}${err}`).not.toContain('password')
})

test.each([
  [['lint', '-f', '/dev/zero'], 'not UTF-8 text'],
  [['tenant', 'import', '--env', '/dev/zero'], 'it has more than 1000000 bytes'],
  [['apply', '/dev/zero'], 'it has more than 200000000 bytes'],
])('what has no end is refused: %s', async (argv, why) => {
  const { exit, out, err } = await berth(argv)
  expect(exit).toBe(1)
  expect(`${out}${err}`).toContain(why)
})
