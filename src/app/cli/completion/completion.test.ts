// What can be typed next? Asked of the shells themselves, with a berth that knows some objects.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { programHere } from '../../../../test/build/programHere.ts'
import { berth, folderOf } from '../../../../test/build/terminal.ts'

const script = async (shell: string): Promise<string> => (await berth(['completion', shell])).out
const has = Object.fromEntries(
  ['zsh', 'fish'].map((shell) => [shell, programHere('completion', shell, ['-c', 'true'])]),
)

/** Says what it was asked for after the names that it knows. */
function path(): string {
  const folder = folderOf({
    berth: `#!/bin/sh
shift 2
if [ "$1" = service ]; then set -- shop/web shop/api; fi
printf '%s\\n' "$@"
`,
  })
  chmodSync(join(folder, 'berth'), 0o755)
  return `${folder}:${process.env['PATH']}`
}

const cases = [
  { words: 've', offers: ['version'] },
  { words: 'plan --ag', offers: ['--against'] },
  { words: 'explain service shop/w', offers: ['shop/web'] },
  { words: 'drain no', offers: ['node'] },
  { words: 'bgp peers --node no', offers: ['node'] },
  { words: 'status --kubeconfig ./cfg --context ./c', offers: ['./cfg'] },
] as const

describe('bash', () => {
  const asked = async (words: string): Promise<string[]> => {
    const all = ['berth', ...words.split(' ')]
    const quoted = all.map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${all.length - 1}; _berth`
    const run = `${await script('bash')}\n${ask}; printf '%s\\n' "\${COMPREPLY[@]}"`
    const out = execFileSync('bash', ['-c', run], { env: { PATH: path() } }).toString()
    return out.split('\n').filter((line) => line !== '')
  }
  test.each(cases)('$words: $offers', async ({ words, offers }) => {
    expect(await asked(words)).toEqual(offers)
  })
  test('the values of an option', async () => {
    expect(await asked('plan -o ')).toEqual(['text', 'wide', 'json', 'yaml'])
  })
})

describe.skipIf(!has['fish'])('fish', () => {
  test.each(cases)('$words: $offers', async ({ words, offers }) => {
    const run = `${await script('fish')}\ncomplete -C 'berth ${words}'`
    const out = execFileSync('fish', ['-c', run], { env: { PATH: path(), HOME: '/nowhere' } })
    const offered = out.toString().trim().split('\n')
    expect(offered.map((line) => line.split('\t')[0])).toEqual(offers)
  })
})

/** zsh completes only in a terminal. What is typed shows how far the word before Tab was completed. */
const setUp = `PROMPT=; autoload -U compinit; compinit -u -D; source ./_berth
show() { print -r -- "<<$BUFFER>>"; BUFFER=; zle accept-line }
zle -N show; bindkey '^X' show; bindkey '^I' complete-word; print 'now type'
`
const ask = `zmodload zsh/zpty
zpty z PATH="$PATH" HOME=/nowhere zsh -f -i
zpty -w z 'source ./setup'
zpty -r z line '*now type*'
zpty -n -w z "$1"$'\\t\\C-X'
zpty -r z line '*<<*>>*'
print -r -- \${\${line##*<<}%%>>*}
`

describe.skipIf(!has['zsh'])('zsh', () => {
  test.each(cases)('$words: $offers', async ({ words, offers }) => {
    const folder = folderOf({ _berth: await script('zsh'), setup: setUp, ask })
    const args = ['-f', 'ask', `berth ${words}`]
    const out = execFileSync('zsh', args, { env: { PATH: path() }, cwd: folder }).toString()
    const typed = words.split(' ').slice(0, -1)
    expect(out.trim().split(' ')).toEqual(['berth', ...typed, ...offers])
  })
})

test.each(['zsh', 'fish'])(
  'the %s script is read without an error, and knows every verb',
  async (shell) => {
    const text = await script(shell)
    for (const verb of ['plan', 'explain', 'completion', 'man']) expect(text).toContain(verb)
    if (!has[shell]) return
    const file = join(folderOf({ script: text }), 'script')
    expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
  },
)
