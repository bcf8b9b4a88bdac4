import { expect, test } from 'vitest'
import { nowhere } from '../../../test/build/terminal.ts'
import { runCli } from '../cli/runCli.ts'
import { tokenVerb } from './tokenVerb.ts'

async function said(...args: readonly string[]): Promise<string> {
  let text = ''
  const err = (words: string): void => {
    text += words
  }
  expect(await runCli([tokenVerb], ['token', ...args], { ...nowhere, err })).toBe(1)
  return text
}

test.each([
  ['', 'does not begin with a letter or a digit'],
  ['-x', 'does not begin with a letter or a digit'],
  ['system:masters', 'begins with system: or berth-, which are taken'],
  ['Berth-admin', 'begins with system: or berth-, which are taken'],
  ['dora and me', 'may have only letters, digits and . _ - + : @'],
  ['dora\nX-Header: y', 'may have only letters, digits and . _ - + : @'],
  ['dörte', 'may have only letters, digits and . _ - + : @'],
  ['d'.repeat(129), 'is longer than 128 characters'],
])('the name %j is refused: it %s', async (name, why) => {
  expect(await said(`--user=${name}`)).toContain(`the name ${JSON.stringify(name)} ${why}`)
})

test.each(['dora', 'dora@example.com', 'oidc:dora+ci', '7of9', 'd'.repeat(128)])(
  'the name %s is a name',
  async (name) => expect(await said('--user', name)).toMatch(/^berth: nothing runs on /),
)

test.each([
  [['dora'], 'unexpected argument "dora"'],
  [['--list', '--read-only'], '--list cannot be combined with other options'],
  [['--remove', '0123456789', '--user', 'dora'], '--remove cannot be combined with other options'],
  [['--remove', 'dora'], '--remove takes an ID of \'berth token --list\', not "dora"'],
  [['--for', '1y'], '--for is a time such as 30m, 24h or 90d'],
  [['--namespace', 'kube-system'], 'no token is bound to kube-system'],
])('%j is refused: %s', async (args, why) => expect(await said(...args)).toContain(why))
