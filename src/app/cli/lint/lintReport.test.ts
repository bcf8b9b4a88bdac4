// How is it shown: as text, in colour, as SARIF?
import { expect, test } from 'vitest'
import { folderOf, lintText, run } from '../../../../test/build/linting.ts'
import { pool, service, withUnknown } from '../../../../test/build/lintManifests.ts'

test('text: grouped by object; what is too long goes on in the next line', async () => {
  const value = 'a-sharing-key-that-is-longer-than-most-and-so-does-not-fit'
  const old = service('web', `metallb.universe.tf/allow-shared-ip: ${value}`)
  expect(await lintText([withUnknown, old])).toBe(`IPAddressPool/metallb-system/lan (-)
  warning never-announced line 1
    Services hold its addresses, and no advertisement covers it
    remedy: add an L2Advertisement or BGPAdvertisement that selects the pool
  warning unknown-field line 8 spec.protocol
    unknown field "spec.protocol": how a pool is announced is now up to an L2Advertisement or
    BGPAdvertisement that names it
    remedy: correct or remove the field: kubectl refuses the object, other clients lose it

Service/shop/web (-:18)
  warning deprecated metadata.annotations[metallb.universe.tf/allow-shared-ip]
    annotation metallb.universe.tf/allow-shared-ip is deprecated: use metallb.io/allow-shared-ip
    remedy: replace or remove it as the message says
    fix: kubectl -n shop annotate service web \\
        metallb.io/allow-shared-ip=${value} \\
        metallb.universe.tf/allow-shared-ip-

0 errors, 3 warnings in 2 objects from 1 file
1 Service not announced
`)
})

test('colour on a terminal only, and no control characters of a file', async () => {
  const given = [pool('lan', '"\\e[2J192.0.2.1/32"')]
  const escapes = (text: string) => text.split('\u001b').length - 1
  expect(escapes(await lintText(given))).toBe(0)
  const shown = await lintText(given, { isTerminal: true })
  expect(shown.split('\n')[1]?.startsWith('  \u001b[31merror\u001b[0m invalid ')).toBe(true)
  expect(escapes(shown)).toBe(2)
})

test('SARIF: rules with their remedies, results with places', async () => {
  const folder = folderOf({ 'a.yaml': withUnknown })
  const { exit, out } = await run([folder], { output: 'sarif' })
  expect(JSON.parse(out)).toMatchObject({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'berth' } }, results: [{ ruleId: 'unknown-field' }] }],
  })
  expect(exit).toBe(0)
})
