// An option of a DNS server runs a program or reads a file. The attacker holds a token of `berth up`
// without bounds, and uses it to replace the definition that lists the allowed options. Afterwards: the
// decoder has the same list, so no such option reaches dnsmasq.
// Before: only the definition kept such an option away.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decodeDnsMasq } from '../../src/edge/kube/decode/decodeDns.ts'
import { Fields } from '../../src/edge/kube/decode/fields.ts'

const read = (key: string, value = '/tmp/x') =>
  decodeDnsMasq(
    new Fields({ metadata: { name: 'a' }, spec: { options: [{ key, values: [value] }] } }, []),
  ).unread.map(({ path }) => path)

test.each([
  'conf-script',
  'conf-file',
  'conf-dir',
  'dhcp-script',
  'addn-hosts',
  'hostsdir',
  'servers-file',
  'log-facility',
  'user',
  '',
  'server=192.0.2.1\nconf-script',
  'Server',
])('%j is not read', (key) => {
  expect(read(key)).toEqual(['spec.options[0].key'])
})

test('all that the definition has is read, as one line', () => {
  const file = 'deploy/openstack/crds/network.openstack.org_dnsmasqs.yaml'
  const [, list = ''] =
    /key:\n[\s\S]*?enum:\n((?: +- [\w-]+\n)+)/.exec(readFileSync(file, 'utf8')) ?? []
  const keys = [...list.matchAll(/- (\S+)/g)].map(([, key = '']) => key)
  expect(keys.length).toBeGreaterThan(10)
  for (const key of keys) {
    expect(read(key)).toEqual([])
    expect(read(key, 'a\nconf-script=/tmp/x')).toEqual(['spec.options[0].values[0]'])
  }
})
