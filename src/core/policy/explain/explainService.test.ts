import { describe, expect, test } from 'vitest'
import { addressRecord } from '../../../../test/build/addressRecord.ts'
import { pool, service, worldOf } from '../../../../test/build/announcing.ts'
import { reservation, tenant } from '../../../../test/build/wires.ts'
import type { ServiceView } from '../../model/service.ts'
import type { View } from '../../model/view.ts'
import type { World } from '../../model/world.ts'
import { decideService } from '../decideService.ts'
import type { Answer } from './explainAnswer.ts'
import { explainService } from './explainService.ts'

const isObjection = ({ verdict }: Answer): boolean => verdict !== 'ok'

const nobody = { live: new Set<string>(), expected: new Set<string>() }
const web = (given: Partial<ServiceView> = {}) => service('web', [], given)
const explain = (...views: readonly View[]) => {
  const explained = explainService(worldOf(...views), nobody, 'default/web')
  if (explained === undefined) throw new Error('default/web is not there')
  return explained
}
const said = (answers: readonly Answer[]) =>
  answers.filter(isObjection).map(({ rule, verdict, reason }) => {
    const mark = verdict === 'first-objection' ? 'x' : '-'
    return `${mark} ${rule}${reason === undefined ? '' : ` ${reason}`}`
  })

const lan = pool('lan', ['10.0.0.1-10.0.0.2'])
const dual = {
  clusterFamilies: ['IPv4', 'IPv6'] as const,
  familyPolicy: 'PreferDualStack' as const,
}
const address = (text: string, reservedFor?: string) =>
  addressRecord(text, { isOurs: false, reservedFor })
const fencedIn = { ...tenant('mine'), namespaces: ['default'] }

/** The pools in the order shown, each with its objections. */
type Case = {
  readonly rule: string
  readonly what: string
  readonly views: readonly View[]
  readonly pools: Readonly<Record<string, readonly string[]>>
}
const cases: Case[] = [
  { rule: 'M3.2', what: 'one pool gives', views: [web(), lan], pools: { lan: [] } },
  {
    rule: 'M3.2',
    what: 'pools with a serviceAllocation first, the others wait their turn',
    views: [
      web(),
      lan,
      pool('pinned', ['10.1.0.1/32'], {
        allocation: { priority: 0, namespaces: [], namespaceSelectors: [], serviceSelectors: [] },
      }),
    ],
    pools: { pinned: [], lan: ['x turn'] },
  },
  {
    rule: 'M3.2',
    what: 'every objection of one pool is told',
    views: [
      web({ clusterFamilies: ['IPv6'] }),
      pool('far', ['10.1.0.1/32'], {
        autoAssign: false,
        tenant: 'other',
        allocation: {
          priority: 0,
          namespaces: ['shop'],
          namespaceSelectors: [],
          serviceSelectors: [],
        },
      }),
    ],
    pools: {
      far: [
        'x tenant pool-of-another-tenant',
        '- service-allocation pool-not-allowed',
        '- auto-assign',
        '- families family-not-in-pool',
      ],
    },
  },
  {
    rule: 'R1.3',
    what: 'a name leads to the pools that serve it',
    views: [web({ asksPool: 'net' }), lan, pool('other', ['10.1.0.1/32'], { serves: ['net'] })],
    pools: { other: [], lan: ['x name'] },
  },
  {
    rule: 'R1.7',
    what: 'an address of another pool than the one named',
    views: [web({ asksPool: 'b', asksByAnnotation: '10.0.0.1' }), lan, pool('b', ['10.1.0.1/32'])],
    pools: {
      lan: ['x name request-contradicts'],
      b: ['x address address-not-in-pool'],
    },
  },
  {
    rule: 'R2.1',
    what: 'a full pool that waits ends the search before one with room',
    views: [
      web(),
      pool('a', ['10.1.0.1/32'], { whenFull: 'wait' }),
      service('first', ['10.1.0.1'], { recordedPool: 'a' }),
      lan,
    ],
    pools: { a: ['x room pool-full', '- when-full'], lan: ['x turn'] },
  },
  {
    rule: 'R2.1',
    what: 'a full pool that does not wait lets the next one give',
    views: [web(), pool('a', ['10.1.0.1/32']), service('first', ['10.1.0.1']), lan],
    pools: { a: ['x room pool-full'], lan: [] },
  },
  {
    rule: 'R5',
    what: 'what is left is a node range',
    views: [web(), pool('a', ['10.1.0.1/32']), reservation('shop/n', ['10.1.0.1'])],
    pools: { a: ['x room address-in-use-elsewhere'] },
  },
  {
    rule: 'R3.3',
    what: 'kept free, and a node has it: both are told',
    views: [
      web({ asksByField: '10.0.0.1' }),
      lan,
      address('10.0.0.1'),
      reservation('shop/n', ['10.0.0.1']),
    ],
    pools: {
      lan: ['x reservation address-reserved', '- elsewhere address-in-use-elsewhere'],
    },
  },
  {
    rule: 'R3.2',
    what: 'a reservation goes before the order of the pools, autoAssign or not',
    views: [
      web(),
      lan,
      pool('kept', ['10.1.0.1/32'], { autoAssign: false }),
      address('10.1.0.1', 'default/web'),
    ],
    pools: { kept: [], lan: ['x reserved'] },
  },
  {
    rule: 'M3.4',
    what: 'held by one that does not share',
    views: [web({ asksByField: '10.0.0.1', sharingKey: 'k' }), lan, service('first', ['10.0.0.1'])],
    pools: { lan: ['x sharing address-taken'] },
  },
  {
    rule: 'M1.1',
    what: 'an address that the pool leaves out',
    views: [
      web({ asksByField: '10.1.0.0' }),
      pool('a', ['10.1.0.0/30'], { avoidBuggyIPs: true }),
      lan,
    ],
    pools: { a: ['x address address-avoided'], lan: ['x address address-not-in-pool'] },
  },
  {
    rule: 'M3.2',
    what: 'PreferDualStack looks for both families first',
    views: [web(dual), lan, pool('z', ['10.1.0.1/32', 'fd00::1/128'])],
    pools: { lan: ['x turn'], z: [] },
  },
  {
    rule: 'R4.4',
    what: 'a tenant uses no open pool',
    views: [web(), lan, fencedIn, pool('own', ['10.1.0.1/32'], { tenant: 'mine' })],
    pools: { own: [], lan: ['x open-pools pool-not-allowed'] },
  },
  {
    rule: 'R4.7',
    what: 'an own pool that is full stands for the open ones, openPools or not',
    views: [
      web(),
      lan,
      { ...fencedIn, openPools: true },
      pool('own', ['10.1.0.1/32'], { tenant: 'mine' }),
      service('first', ['10.1.0.1']),
    ],
    pools: { own: ['x room pool-full', '- when-full'], lan: ['x own-pools'] },
  },
  {
    rule: 'R4.9',
    what: 'the quota is reached though there is room',
    views: [
      web(),
      { ...fencedIn, quota: 1 },
      pool('own', ['10.1.0.1-10.1.0.2'], { tenant: 'mine' }),
      service('first', ['10.1.0.1']),
    ],
    pools: { own: ['x quota quota-exceeded'] },
  },
  {
    rule: 'R4.10',
    what: 'an open pool is, for an address of a tenant, no pool at all',
    views: [web({ asksByField: '10.0.0.1' }), lan, fencedIn],
    pools: { lan: ['x open-pools address-not-in-pool'] },
  },
]
test.each(cases)('[$rule] $what', ({ views, pools }) => {
  const shown = explain(...views).pools.map(({ pool, answers }) => [pool, said(answers)])
  expect(shown).toEqual(Object.entries(pools))
})

describe('[R7] what is wrong with the request itself', () => {
  const both = ['one', 'two'].map((name): View => {
    const selector = { matchLabels: {}, matchExpressions: [] }
    return { ...tenant(name), namespaces: [], selector }
  })
  type Flaw = { readonly views: readonly View[]; readonly request: readonly string[] }
  const flaws: Flaw[] = [
    { views: [web(), lan], request: [] },
    { views: [web(), ...both, lan], request: ['x tenant tenant-ambiguous'] },
    { views: [web({ asksByField: 'here' }), lan], request: ['x request address-invalid'] },
    { views: [web({ asksPool: 'net' }), lan], request: ['x name pool-not-found'] },
    {
      views: [web(), pool('a', ['10.1.0.1/32'], { autoAssign: false })],
      request: ['x automatic no-pool'],
    },
    {
      views: [web({ asksByField: '10.9.0.1' }), { ...fencedIn, requestedAddresses: 'Translate' }],
      request: ['x translation translation-does-not-fit'],
    },
    { views: [web({ asksByField: '10.9.0.1' })], request: ['x address address-not-in-pool'] },
    {
      views: [
        web({ ...dual, asksByAnnotation: '10.0.0.1,fd00::1' }),
        lan,
        pool('six', ['fd00::1/128']),
      ],
      request: ['x address address-not-in-pool'],
    },
    { views: [web(), lan, address('10.9.0.1', 'default/web')], request: ['x reserved'] },
  ]
  test.each(flaws)('$request', ({ views, request }) => {
    expect(said(explain(...views).request)).toEqual(request)
  })
})

describe('the outcome', () => {
  test('[P2] what is held is kept; the pools answer as if it were not', () => {
    const { holds, outcome, anew, pools } = explain(service('web', ['10.0.0.2']), lan)
    expect(holds).toMatchObject({ ips: ['10.0.0.2'], pool: 'lan', keeps: { ok: true } })
    expect(holds?.answers.map(({ rule }) => rule)).toContain('sharing')
    expect(outcome).toEqual({ is: 'holds', ips: ['10.0.0.2'], pool: 'lan', isKept: true })
    expect(anew).toEqual({ ips: ['10.0.0.1'], pool: 'lan' })
    expect(pools[0]?.offers).toEqual(['10.0.0.1'])
  })

  test('[M3.3] what may not be kept is exchanged', () => {
    const { holds, outcome } = explain(service('web', ['10.9.0.1']), lan)
    expect(holds?.keeps).toMatchObject({ ok: false, reason: 'address-not-in-pool' })
    expect(said(holds?.answers ?? [])).toEqual(['x pool address-not-in-pool'])
    expect(outcome).toMatchObject({ is: 'holds', ips: ['10.0.0.1'], isKept: false })
  })

  test('[R7] who waits is told why, with the remedy', () => {
    expect(explain(web()).outcome).toEqual({
      is: 'waits',
      reason: 'no-pool',
      message: 'no pool with autoAssign admits the Service',
      remedy: 'create a pool with autoAssign that admits the Service, or request a pool by name',
    })
  })

  test('[M3.3] one family of two is held, the other is waited for', () => {
    const six = pool('z', ['10.1.0.1/32', 'fd00::1/128'])
    const holder = service('first', ['fd00::1'], { clusterFamilies: ['IPv6'] })
    const { outcome, second } = explain(service('web', ['10.1.0.1'], dual), six, holder)
    expect(outcome).toMatchObject({ ips: ['10.1.0.1'], lacks: { reason: 'pool-full' } })
    expect([second?.pool, said(second?.answers ?? [])]).toEqual(['z', ['x room pool-full']])
  })

  type Second = { readonly views: readonly View[]; readonly is: object | undefined }
  const both = pool('z', ['10.1.0.1/32', 'fd00::1-fd00::2'])
  const one = service('web', ['10.1.0.1'], dual)
  const fenced = { rule: 'tenant', verdict: 'first-objection' }
  const given = (...offers: readonly string[]) => ({ pool: 'z', offers })
  const seconds: (Second & { readonly what: string })[] = [
    { what: 'the lowest', views: [one, both], is: given('fd00::1') },
    {
      what: 'what is reserved for it',
      views: [one, both, address('fd00::2', 'default/web')],
      is: { ...given('fd00::2'), request: [{ rule: 'reserved', verdict: 'ok' }] },
    },
    {
      what: 'nothing of a pool that may not be used any more',
      views: [one, { ...both, tenant: 'gone' }],
      is: { ...given(), answers: expect.arrayContaining([expect.objectContaining(fenced)]) },
    },
    { what: 'nothing, it has both', views: [service('web', ['10.1.0.1', 'fd00::1'], dual), both] },
    { what: 'nothing, it asks for one', views: [service('web', ['10.1.0.1']), both] },
  ].map((row) => ({ is: undefined, ...row }))
  test.each(seconds)('[M3.3] the second family: $what', ({ views, is }) => {
    const { second } = explain(...views)
    if (is === undefined) expect(second).toBeUndefined()
    else expect(second).toMatchObject(is)
  })

  test('[M3.3] a request that cannot be read leaves the holder alone, and is told', () => {
    const { outcome } = explain(service('web', ['10.0.0.2'], { asksByField: 'here' }), lan)
    expect(outcome).toMatchObject({ ips: ['10.0.0.2'], lacks: { reason: 'address-invalid' } })
  })

  test.each([
    { given: { isLoadBalancer: false }, message: 'it is not of type LoadBalancer' },
    {
      given: { loadBalancerClass: 'x' },
      message: 'its class is x, and Services of a class are not ours',
    },
  ])('[M2.2] not ours: $message', ({ given, message }) => {
    const { outcome, pools } = explain(web(given), lan)
    expect(outcome).toEqual({ is: 'not-ours', message })
    expect(pools).toEqual([])
  })
})

test('[R4.11] what it asks for, as written and as meant, and how much of the quota is used', () => {
  const network = { cidrs: ['172.27.0.0/24'], loadBalancer: ['172.27.0.80-172.27.0.90'] }
  const made = tenant('mine', network)
  const translating = {
    ...made,
    namespaces: ['default'],
    requestedAddresses: 'Translate',
    quota: 3,
    networks: made.networks.map((one) => ({
      ...one,
      translateFrom: [{ family: 'IPv4' as const, base: 0xac110000n, length: 24 }],
    })),
  }
  const asking = web({ asksByAnnotation: '172.17.0.85', asksPool: 'internalapi', sharingKey: 'k' })
  expect(explain(asking, translating).asks).toEqual({
    families: ['IPv4'],
    familyPolicy: 'SingleStack',
    pool: 'internalapi',
    addresses: '172.17.0.85',
    means: ['172.27.0.85'],
    sharingKey: 'k',
    ports: ['TCP/web'],
    trafficPolicy: 'Cluster',
    tenant: { name: 'mine', used: 0, quota: 3 },
  })
})

test('there is nothing to say of a Service that is not there', () => {
  expect(explainService(worldOf(), nobody, 'default/web')).toBeUndefined()
})

test('looking changes nothing', () => {
  const world: World = worldOf(service('web', ['10.0.0.2']), service('api', []), lan)
  const decisions = () => ['default/web', 'default/api'].map((key) => decideService(world, key))
  const before = decisions()
  explainService(world, nobody, 'default/web')
  expect(decisions()).toEqual(before)
})
