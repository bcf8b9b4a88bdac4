// Do the documents say what the code says? Reasons and problems with remedies; links that resolve.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeRemedies } from '../../src/core/model/ipam/nodeReason.ts'
import { problemRemedies } from '../../src/core/model/problem.ts'
import { remedies } from '../../src/core/model/reason.ts'
import { withdrawRemedies } from '../../src/core/policy/announce/withdrawRemedies.ts'

const read = (file: string) => readFileSync(file, 'utf8')

/** Each `### word` of one section of docs/reasons.md, with the line that states its remedy. */
function documented(section: string): [word: string, remedy: string | undefined][] {
  const sections = read('docs/reasons.md').split(/^## /m)
  const text = sections.find((part) => part.startsWith(`${section}\n`)) ?? ''
  const entries = text.split(/^### /m).slice(1)
  return entries.map((entry) => [entry.split('\n', 1).join(), /^Remedy: (.+)$/m.exec(entry)?.[1]])
}

test.each([
  { section: 'Why a Service waits', inCode: remedies },
  { section: 'Why a host has no address', inCode: nodeRemedies },
  { section: 'What is wrong with a configuration', inCode: problemRemedies },
])('[R7] "$section" has every word of the code, no other, and the same remedies', (row) => {
  expect(documented(row.section).sort()).toEqual(Object.entries(row.inCode).sort())
})

test('[R7] "Why nobody announces a Service" has every word of the code, with the same remedies', () => {
  const [, section = ''] = read('docs/reasons.md').split('## Why nobody announces a Service\n')
  const rows = [...section.matchAll(/^\| `(\w+)` \| .* \| (.+) \|$/gm)]
  const listed = rows.map(([, word = '', remedy = '']) => [word, remedy])
  expect(listed.sort()).toEqual(Object.entries(withdrawRemedies).sort())
})

const under = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
const pages = [...readdirSync('.'), ...under('docs'), ...under('examples')].filter((file) =>
  file.endsWith('.md'),
)

const withoutCode = (text: string) =>
  text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
const linksOf = (file: string) =>
  [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))

/** A heading's anchor as GitHub makes it: lower case, no punctuation, hyphens for spaces. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-')
const anchorsOf = (file: string) =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchor(heading))

test.each(pages)('%s links only to what is there', (page) => {
  for (const link of linksOf(page)) {
    const [path = '', fragment] = link.split('#')
    const target = path === '' ? page : join(dirname(page), path)
    expect(existsSync(target), link).toBe(true)
    if (fragment !== undefined) expect(anchorsOf(target), link).toContain(fragment)
  }
})
