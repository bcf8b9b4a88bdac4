// Proves that what could not be asked on the wire is said, and is no answer.
import { chmodSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { ip } from '../../../../../test/build/announcing.ts'
import { folderOf } from '../../../../../test/build/terminal.ts'
import { answersOnWire } from './wire.ts'

test('an address on no link of this host is not asked for', async () => {
  const { answers, why } = await answersOnWire([ip('127.0.0.1')])
  expect([answers.size, why]).toEqual([0, expect.stringMatching(/no link of this host|\bip\b/)])
})

const withoutRoute = `#!/bin/sh
case "$*" in
*198.51.100.1*) echo 'RTNETLINK answers: Network is unreachable' >&2; exit 2 ;;
*) echo '[{"dev":"lo","prefsrc":"127.0.0.1"}]' ;;
esac
`
test('an address without a route does not stop the check of the others', async () => {
  const folder = folderOf({ ip: withoutRoute })
  chmodSync(`${folder}/ip`, 0o755)
  vi.stubEnv('PATH', folder)
  const near = [ip('192.0.2.1'), ip('198.51.100.1'), ip('192.0.2.2')]
  const { why } = await answersOnWire(near).finally(() => vi.unstubAllEnvs())
  expect(why).toBe('on no link of this host')
})
