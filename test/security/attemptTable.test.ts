// Which attempts are there? docs/attempts.md lists them all; `vitest run -u` writes it anew.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { attempts } from './attempts.ts'

const here = import.meta.dirname

/** A file opens with what is tried, what the attacker holds, and what must hold afterwards. */
function headOf(file: string): string {
  const text = readFileSync(join(here, file), 'utf8')
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  const said = lines.slice(0, end).map((line) => line.slice(3))
  return said.join(' ').replaceAll('|', '\\|')
}

const saysAll = /^(.+?)[.?] (The attacker .+?)\. Afterwards: (.+?)\.(?: .*)? Before: (.+)\.$/

function rowOf(file: string): string {
  const [, name = '', holds = '', after = '', before = ''] = saysAll.exec(headOf(file)) ?? []
  expect([name, holds, after, before], `${file} says what is tried`).not.toContain('')
  const held = holds.replace(/^The attacker (?:holds )?/, '')
  return `| ${name} | ${held} | ${before} | ${after} | ${basename(file)} |`
}

const files = globSync(['*.test.ts', 'load.suite.ts'], { cwd: here })
  .filter((file) => file !== 'attemptTable.test.ts')
  .sort()

test('every attempt is listed', async () => {
  const whole = attempts.map(
    ({ name, holds, before, mustHold, engines }) =>
      `| ${name} | ${holds} | ${before} | ${mustHold} | ${engines.join(', ')} |`,
  )
  const page = `# Attempts

What is tried on Berth, by whom, what happened when it was first tried (\`prevented\`, or what the
attacker achieved), and what holds now. Made from [test/security](../test/security) by \`vitest run
test/security/attemptTable.test.ts -u\`; every row is tried by \`make test\`, which fails if one no
longer holds, and lists how each ended.

## On an installation

With the rights that are shipped, on a real kube-apiserver and on \`berth up\`.

| attempt | the attacker holds | when first tried | now | tried on |
| --- | --- | --- | --- | --- |
${whole.join('\n')}

## On a part

| attempt | the attacker | when first tried | now | file |
| --- | --- | --- | --- | --- |
${files.map(rowOf).join('\n')}
`
  await expect(page).toMatchFileSnapshot(join(here, '../../docs/attempts.md'))
})
