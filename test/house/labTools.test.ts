// Is a program of the wrong kind named, where several share one name?
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const install = join(import.meta.dirname, '../lab/install.sh')

/** Only what is linked there can be run, so that nothing is installed. */
function installWith(program: string, says: string) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-tools-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const tool of ['bash', 'cat', 'grep', 'sort', 'paste']) {
    symlinkSync(`/usr/bin/${tool}`, join(folder, tool))
  }
  const path = join(folder, program)
  writeFileSync(path, `#!/usr/bin/bash\necho '${says}'\n`)
  chmodSync(path, 0o755)
  const ran = spawnSync('/usr/bin/bash', [install, program], {
    encoding: 'utf8',
    env: { PATH: folder },
  })
  return { status: ran.status, last: ran.stderr.trim().split('\n').at(-1), path }
}

test('the arping of iputils is told from the one that the suites need', () => {
  const other = installWith('arping', 'arping from iputils 20221126')
  expect(other).toMatchObject({
    status: 1,
    last:
      `packages are missing: arping: ${other.path} is not the arping of package arping ` +
      '(it says: arping from iputils 20221126)',
  })
  const right = installWith('arping', 'ARPing 2.23, by Thomas Habets <thomas@habets.se>')
  expect(right).toMatchObject({ status: 0, last: '' })
})

test('a program that is too old is named with what it says', () => {
  expect(installWith('nft', 'nftables v0.8.2 (Joe Btfsplk)')).toMatchObject({
    status: 1,
    last: expect.stringContaining('is not the nft of package nftables (it says: nftables v0.8.2'),
  })
})
