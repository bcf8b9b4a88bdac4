import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { berth } from '../../../../test/build/terminal.ts'

const hasIp = spawnSync('ip', ['-V']).status === 0

test.skipIf(!hasIp)(
  'an address of this host is nothing that its network could answer for',
  async () => {
    expect(await berth(['probe', '127.0.0.1'])).toEqual({
      exit: 1,
      out: '',
      err: 'berth: this host has 127.0.0.1 itself: run the probe on a client in the same network\n',
    })
  },
)
