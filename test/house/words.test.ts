// Are the words of the glossary kept to? A private word for what the field has a name for is not an
// identifier, and a word that the glossary explains names one type.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Each with what says it instead. */
const banned = new Map([
  ['turn', 'batch, round, place, tier'],
  ['judged', 'checked, answer, verdict'],
  ['door', 'admission'],
  ['deed', 'write'],
  ['wish', 'request, options'],
])
/** In a name such as `turnsMemberlistOff` it is a verb. */
const isVerb = /^turns?[A-Z]\w*(?:On|Off)$|^turnsO(?:n|ff)$/
/** What each of them names, and nothing else. */
const kept = new Map([
  ['Claim', 'src/core/model/slot.ts'],
  ['Verdict', 'src/core/model/reason.ts'],
  ['Standing', 'src/core/policy/made/standing.ts'],
])
/** They say too little: name what was found, and which place it is. */
const vague = ['Found', 'Place']

const isProgram = (file: string): boolean => file.startsWith('src/') && !file.includes('.test.')
const files = ['src', 'test', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
)

const quiet = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|'(?:[^'\\\n]|\\.)*'/gm
const namesIn = (text: string): ReadonlySet<string> =>
  new Set(text.replaceAll(quiet, "''").match(/[A-Za-z_]\w*/g))
const wordsIn = (name: string): readonly string[] =>
  (name.match(/[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase().replace(/s$/, ''))
const bannedIn = (text: string): readonly string[] =>
  [...namesIn(text)].filter(
    (name) => !isVerb.test(name) && wordsIn(name).some((word) => banned.has(word)),
  )
const typesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:export )?(?:type|interface|class) (\w+)/gm)].map(([, name = '']) => name)

test.each(files.filter(isProgram))('%s uses the words of the field', (file) => {
  expect(bannedIn(readFileSync(file, 'utf8'))).toEqual([])
})

test('what the glossary explains names one type', () => {
  const named = files.flatMap((file) =>
    typesIn(readFileSync(file, 'utf8')).map((name) => ({ file, name })),
  )
  const others = named.filter(({ file, name }) =>
    kept.has(name) ? kept.get(name) !== file : vague.includes(name) || bannedIn(name).length > 0,
  )
  expect(others).toEqual([])
})

test('a banned word is found in a name, and not in a comment, a text or a verb', () => {
  const text = "// whose turn\nconst isTurn = asJudged('the door', turnsOff, deeds)"
  expect(bannedIn(text)).toEqual(['isTurn', 'asJudged', 'deeds'])
})
