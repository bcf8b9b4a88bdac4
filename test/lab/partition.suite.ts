// What happens when nodes do not see each other, though clients see both? Cut between the ports of
// the switch, in one direction or in both.
import { afterEach, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { labNamed, mended, ownerOf, ownersOf, run, web } from './namespaces.ts'
import { apply, pool, remove, service } from './objects.ts'

const lab = labNamed(inject('lab'))
const { four } = web
const fabric = `berth-lab-${lab.name}-fabric`
const nodes = ['node-1', 'node-2', 'node-3']
const plugs = (names: readonly string[]): string =>
  `{ ${names.flatMap((name) => [`"${name}-lan"`, `"${name}-mgmt"`]).join(', ')} }`

type Way = 'from' | 'to'

/** Only what nodes say to each other: API and clients see all of them. */
function cut(one: string, ways: readonly Way[]): void {
  const [own, others] = [plugs([one]), plugs(nodes.filter((node) => node !== one))]
  const rules = {
    from: `iifname ${own} oifname ${others} drop`,
    to: `iifname ${others} oifname ${own} drop`,
  }
  const table = `table bridge cut {
    chain forward {
      type filter hook forward priority 0
      ${ways.map((way) => rules[way]).join('\n')}
    }
  }
  `
  expect(run(['ip', 'netns', 'exec', fabric, 'nft', '-f', '-'], table)).toMatchObject({ status: 0 })
}
const join = (): unknown =>
  run(['ip', 'netns', 'exec', fabric, 'nft', 'delete', 'table', 'bridge', 'cut'])

describe.skipIf(inject('lab') === '')('partition', () => {
  afterEach(async () => {
    join()
    await mended(lab)
  })

  test('[R8.3] available: both sides answer while they are apart, one of them afterwards', async () => {
    const before = await ownerOf(lab, four)
    cut(before, ['from', 'to'])
    const two = await until('two owners', () => {
      const owners = ownersOf(lab, four)
      return owners.length === 2 ? owners : undefined
    })
    expect(two).toContain(before)
    const probed = await until('two MACs', () => {
      const ran = lab.in('client-1', './berth', 'probe', four)
      return ran.out.includes('two-macs: 2 machines answer for it') ? ran : undefined
    })
    expect(probed.status).toBe(2)
    join()
    await ownerOf(lab, four, (owner) => owner === before)
  })

  test.each<Way>(['from', 'to'])('one way, %s the owner: one owner afterwards', async (way) => {
    const before = await ownerOf(lab, four)
    cut(before, [way])
    // Whatever they think of each other, somebody answers.
    await until('another owner, or none but the first', () => ownersOf(lab, four)[0])
    join()
    await ownerOf(lab, four, (owner) => owner === before)
  })

  test('[R8.3] safe: the side without a majority falls silent', async () => {
    const address = '10.10.101.1'
    const annotations = { 'berth.dev/split': 'safe' }
    const objects = [
      ...pool({ name: 'safe', addresses: '10.10.101.0/24', annotations }),
      service({ name: 'safe', address }),
    ]
    apply(lab, objects)
    try {
      const before = await ownerOf(lab, address)
      cut(before, ['from', 'to'])
      const after = await ownerOf(lab, address, (owner) => owner !== before)
      expect(ownersOf(lab, address)).toEqual([after])
      join()
      await ownerOf(lab, address, (owner) => owner === before)
    } finally {
      remove(lab, objects.toReversed())
    }
  })
})
