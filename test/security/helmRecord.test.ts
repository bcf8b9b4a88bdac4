// A Secret that passes for the record of a Helm release and unpacks to gigabytes. The attacker may write
// Secrets in some namespace, and waits until an administrator migrates. Afterwards: it was passed over, and
// the other releases were read. Before: it was unpacked whole, as far as memory went.
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { releasesIn } from '../../src/app/cli/migrate/helmRelease.ts'

const manifest = `---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: lan }
`
const secret = (namespace: string, padding: number) => {
  const packed = gzipSync(JSON.stringify({ manifest, notes: ' '.repeat(padding) }))
  const release = Buffer.from(packed.toString('base64')).toString('base64')
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'helm.sh/release.v1', data: { release } },
    metadata: { name: 'sh.helm.release.v1.x.v1', namespace, labels: { name: 'x', version: '1' } },
  }
}

test('a record that unpacks to more than any release has is passed over', () => {
  const read = releasesIn([secret('mallory', 2 ** 26), secret('metallb-system', 2 ** 20)], false)
  expect(read.map(({ namespace, kept }) => [namespace, kept])).toEqual([
    ['metallb-system', ['IPAddressPool/lan']],
  ])
})
