// Do the manual pages say what the help says?
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programHere } from '../../../../test/build/programHere.ts'
import { berth, folderOf } from '../../../../test/build/terminal.ts'
import { verbsWith } from '../verbs.ts'

const verbs = verbsWith([])

/** Of roff, for those who have no man. */
const words = (text: string): string =>
  text.replaceAll('\\-', '-').replaceAll('\\&', '').replaceAll('\\e', '\\').replace(/\s+/g, ' ')

test('each command has a page with everything that its help says', async () => {
  const folder = join(folderOf({}), 'man1')
  expect(await berth(['man', folder])).toMatchObject({ exit: 0, err: '' })
  expect(readdirSync(folder)).toHaveLength(verbs.length + 1)
  const page = (name: string) => words(readFileSync(join(folder, name), 'utf8'))
  for (const { name, summary, options, examples } of verbs) {
    expect(page('berth.1')).toContain(`berth-${name} (1) ${summary} `)
    const text = page(`berth-${name}.1`)
    for (const [option, { help }] of Object.entries(options)) {
      expect(text).toContain(`--${option}`)
      expect(text).toContain(words(help))
    }
    for (const example of examples) expect(text).toContain(words(example))
  }
})

const hasMandoc = programHere('manual pages', 'mandoc', ['-h'])

test.skipIf(!hasMandoc)('no line of a page is taken for a request that there is not', async () => {
  const folder = folderOf({})
  await berth(['man', folder])
  const files = readdirSync(folder).map((name) => join(folder, name))
  const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'error', ...files])
  expect(stdout.toString()).toBe('')
})

test('a folder that cannot be written is said', async () => {
  const folder = folderOf({ file: '' })
  const { exit, err } = await berth(['man', join(folder, 'file', 'man1')])
  expect(exit).toBe(1)
  expect(err).toMatch(/^berth: .*man1: /)
})
