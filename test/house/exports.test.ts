// Is every export imported, and every exported value by the program itself, not by tests alone?
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

type Source = { readonly file: string; readonly text: string }
type Export = { readonly name: string; readonly isType: boolean }

const under = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
const sources: readonly Source[] = ['src', 'test', 'bench', 'deploy']
  .flatMap(under)
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

const isTest = (file: string): boolean => !file.startsWith('src/') || file.includes('.test.')

const exporting =
  /^export (?:abstract )?(?:async )?(type|const|let|function\*?|class|interface) (\w+)/gm
const exportsOf = (text: string): readonly Export[] =>
  [...text.matchAll(exporting)].map(([, word = '', name = '']) => ({
    name,
    isType: word === 'type' || word === 'interface',
  }))

const importing = /^import (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm
const loading = /\bimport\(\s*'(\.[^']+)'\s*\)/g

/** Each import as `file name`; of a file that is loaded later, every word that could name one. */
function importsOf({ file, text }: Source): readonly string[] {
  const named = (from: string, names: readonly string[]) =>
    names.map((name) => `${join(dirname(file), from)} ${name}`)
  const listed = [...text.matchAll(importing)].flatMap(([, list = '', from = '']) =>
    named(from, list.replaceAll(/\btype |(?<= )as \w+/g, '').match(/\w+/g) ?? []),
  )
  const loaded = [...text.matchAll(loading)].flatMap(([, from = '']) =>
    named(from, text.match(/\w+/g) ?? []),
  )
  return [...listed, ...loaded]
}

/** Not imported but extended, by `declare module`: a new kind adds its view there. */
const extended = 'src/core/model/view.ts Views'
const imported = new Set([extended, ...sources.flatMap(importsOf)])
const importedByProgram = new Set(
  sources.filter(({ file }) => !isTest(file)).flatMap((source) => importsOf(source)),
)

/** A type only names what an exported function takes, so a test may be the only one to need it. */
const unwanted = ({ file, text }: Source): readonly string[] =>
  exportsOf(text)
    .filter(({ name, isType }) => !(isType ? imported : importedByProgram).has(`${file} ${name}`))
    .map(({ name }) => name)

test.each(sources.filter(({ file }) => !isTest(file)))(
  '$file exports only what others import',
  (source) => {
    expect(unwanted(source)).toEqual([])
  },
)

test('an export that nobody imports is found, and one that only a test imports', () => {
  const text = 'export const lonely = 1\nexport async function alone() {}\nexport type Odd = 1'
  expect(unwanted({ file: 'src/none.ts', text })).toEqual(['lonely', 'alone', 'Odd'])
  const file = 'test/house/none.test.ts'
  const byTest = { file, text: "import { type One, two as three } from '../../src/none.ts'" }
  expect(importsOf(byTest)).toEqual(['src/none.ts One', 'src/none.ts two'])
  const later = { file, text: "const { two } = await import('./two.ts')" }
  expect(importsOf(later)).toContain('test/house/two.ts two')
})
