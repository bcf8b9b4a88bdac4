import { expect, test } from 'vitest'
import { nowhere } from '../../../../test/build/terminal.ts'
import type { Arguments } from '../verb.ts'
import { siteVerb } from './siteVerb.ts'

async function run(positionals: readonly string[], values: Arguments['values'] = {}) {
  const [out, err]: [string[], string[]] = [[], []]
  const io = {
    ...nowhere,
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
  }
  const exit = await siteVerb.run({ positionals, values }, io)
  return { exit, out: out.join(''), err: err.join('') }
}
const here = 'examples/relocatable/site-here.yaml'
const built = 'examples/relocatable/site.yaml'

test('[R6.1] what MetalLB needs belongs to nobody and has the addresses as prefixes', async () => {
  const { exit, out, err } = await run(['render'], { file: here, for: 'metallb' })
  expect(exit).toBe(0)
  const kinds = [...out.matchAll(/^kind: (\S+)$/gm)].map(([, kind]) => kind)
  expect(kinds).toEqual(['IPAddressPool', 'IPAddressPool', 'L2Advertisement', 'Service', 'Service'])
  expect(out).toContain('- 203.0.113.10/32')
  expect(out).not.toMatch(/ownerReferences|managed-by/)
  expect(err).toContain('The routes of the Site are left out')
  expect(err).toContain('  ip route replace 192.0.2.0/24 via 203.0.113.1 dev eth1\n')
})

test('[R6.1] the Site of an image gets its addresses from flags', async () => {
  const vips = { 'api-vip': '203.0.113.10', 'ingress-vip': '203.0.113.11' }
  const { exit, out } = await run(['render'], { file: built, ...vips })
  expect(exit).toBe(0)
  expect(out).toContain('kind: Site')
  expect(out).toContain('apiVIP: 203.0.113.10')
})

test('[R6.2] what would be refused is not rendered', async () => {
  const { exit, err } = await run(['render'], { file: built, 'api-vip': '203.0.113.10' })
  expect(exit).toBe(1)
  expect(err).toContain('Site/cluster: spec.external.ingressVIP: Required value')
})

test('without addresses there is nothing for MetalLB to do', async () => {
  const { exit, out, err } = await run(['render'], { file: built, for: 'metallb' })
  expect({ exit, out }).toEqual({ exit: 0, out: '' })
  expect(err).toContain('no external addresses yet')
})

test.each<[string, readonly string[], Arguments['values'], string]>([
  ['no file', ['render'], {}, '-f FILE'],
  [
    'a bad time',
    ['apply'],
    { within: 'soon' },
    '--within is a time such as 10m or 90s, not "soon"',
  ],
  ['a bad server', ['verify'], { dns: 'ns1' }, '--dns is the address of a DNS server, not "ns1"'],
  ['one address', ['verify'], { 'api-vip': '203.0.113.10' }, 'name both VIPs'],
])('%s', async (_, positionals, values, message) => {
  await expect(run(positionals, values)).rejects.toThrow(message)
})
