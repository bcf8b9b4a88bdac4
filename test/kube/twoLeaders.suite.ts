// Two controllers that both believe to lead: is any address given twice (P1), or moved (P2)?
import { expect, test } from 'vitest'
import { churnTwoLeaders, watches } from './churn.ts'
import { merge } from './cluster.ts'
import {
  addressOf,
  asking,
  conditionOf,
  pool,
  type Spoil,
  shownBy,
  writesIn,
} from './controllers.ts'
import { stand, underFaults } from './faultCase.ts'
import { named } from './faultStand.ts'
import { silent } from './lateness.ts'
import { until } from './waits.ts'

underFaults('more than one', () => {
  const title = '[P1] two leaders while Services, ports and pools change: $title'
  test.each(watches)(title, async (lines) => {
    await churnTwoLeaders(stand, { lines, seed: 11, steps: 200 })
    expect(await stand.timeline.shownOnly()).toEqual([])
  })

  test('[P1] 60 Services at once before two leaders: each its own address', async () => {
    const [one, other] = [stand.run(), stand.run()]
    await Promise.all([one.quiet(), other.quiet()])
    const names = named('s', 60)
    await stand.create(names)
    expect(new Set(await stand.addressesOf(names)).size).toBe(60)
    await Promise.all([one.quiet(), other.quiet()])
    await stand.seen.caughtUp()
    expect(stand.seen.moves).toEqual([])
  })

  test('[P2] a claim under way takes nothing from who was given it by another leader', async () => {
    const { spoil, claimed, resume } = heldClaims()
    const name = `${stand.namespace}-both`
    await stand.cluster.pools.create(pool(name, ['10.7.0.1-10.7.0.2']))
    const one = stand.run({ spoil })
    await stand.services.create(asking('given', 'nowhere'))
    await until('it waits', async () => conditionOf(await stand.services.get('given')))
    await one.quiet()
    await stand.services.create(asking('late', name))
    await claimed
    const { status, record } = await givenByAnother('given', { pool: name, address: '10.7.0.1' })
    await stand.cluster.addresses.create(record)
    await stand.services.patch('given', status)
    await hasSeenIt('marker')
    resume()
    expect(await addressOf(stand.services, 'late')).toBe('10.7.0.2')
    await one.quiet()
    await stand.seen.caughtUp()
    expect(stand.seen.moves).toEqual([])
  })

  test('[P2] what another leader gave it while it was claiming stays', async () => {
    const { spoil, claimed, resume } = heldClaims()
    const name = `${stand.namespace}-other`
    await stand.cluster.pools.create(pool(name, ['10.8.0.1-10.8.0.2']))
    const one = stand.run({ spoil })
    await one.quiet()
    await stand.services.create(asking('web', name))
    await claimed
    const { status, record } = await givenByAnother('web', { pool: name, address: '10.8.0.2' })
    // In this order: a record that no status shows yet is taken back, and what shows it then refused.
    await stand.services.patch('web', status)
    await stand.cluster.addresses.create(record)
    await hasSeenIt('marker')
    resume()
    await one.quiet()
    await stand.seen.caughtUp()
    expect(stand.seen.moves).toEqual([])
    expect(await addressOf(stand.services, 'web')).toBe('10.8.0.2')
  })

  test('[R3.12] paused between claim and status, it cannot show the address afterwards', async () => {
    let isPaused = false
    const { promise: resumed, resolve: resume } = latch()
    const held: Promise<unknown>[] = []
    const spoil: Spoil = ({ method, path }, pass) => {
      if (!isPaused || method !== 'PATCH' || !path.endsWith('/web/status')) return undefined
      held.push(resumed.then(pass))
      return held.at(-1)
    }
    const [name, address] = [`${stand.namespace}-late`, '10.5.0.1']
    const one = stand.run({ spoil })
    await stand.services.create(asking('web', name))
    await until('it waits', async () => conditionOf(await stand.services.get('web')))
    await one.quiet()
    isPaused = true
    await stand.cluster.pools.create(pool(name, [`${address}/32`]))
    await until('it is claimed', () => stand.cluster.addresses.get(address).catch(() => undefined))
    await stand.cluster.pools.remove(name)
    stand.run()
    await until('the claim is given up', () => {
      return stand.cluster.addresses.get(address).then(
        () => undefined,
        () => true as const,
      )
    })
    isPaused = false
    resume()
    await expect(held[0]).rejects.toMatchObject({ code: 409 })
    expect(shownBy(await stand.services.get('web'))).toEqual([])
  })

  test('[R3.12] no holder goes on the word of the cache while its Service shows the address', async () => {
    let isBehind = false
    const lines = silent(({ path }) => isBehind && path.endsWith('/services'))
    const shown: string[][] = []
    const spoil: Spoil = async ({ method }, pass) => {
      if (method === 'DELETE') shown.push(shownBy(await stand.services.get('web')))
      return pass()
    }
    const one = stand.run({ lines, spoil })
    await stand.services.create(asking('web', 'nowhere'))
    await until('it waits', async () => conditionOf(await stand.services.get('web')))
    await one.quiet()
    isBehind = true
    // What another leader does that still knows of a range that the pool no longer has.
    const narrow = `${stand.namespace}-narrow`
    await stand.cluster.pools.create(pool(narrow, ['10.6.0.2/32']))
    const { status, record } = await givenByAnother('web', { pool: narrow, address: '10.6.0.1' })
    await stand.services.patch('web', status)
    await stand.cluster.addresses.create(record)
    await until('the record is gone', () => shown[0])
    expect(shown.flat()).not.toContain('10.6.0.1')
  })

  test('[P2] who only watched takes over without a write: nothing moves', async () => {
    const lease = 'taken-over'
    const one = stand.run({ lease })
    await one.quiet()
    const other = stand.run({ lease })
    await stand.cluster.pools.create(pool(`${stand.namespace}-one`, ['10.4.0.1/32']))
    await stand.services.create(asking('first', `${stand.namespace}-one`))
    await addressOf(stand.services, 'first')
    await stand.services.create(asking('second', `${stand.namespace}-one`))
    const annotations = { 'metallb.io/address-pool': 'nowhere' }
    await stand.services.patch('first', { type: merge, body: { metadata: { annotations } } })
    const address = await addressOf(stand.services, 'second')
    await one.quiet()
    await one.stop()
    await other.quiet()
    expect(writesIn(other.seen)).toEqual([])
    expect(await addressOf(stand.services, 'second')).toBe(address)
  })

  test('[R3.12] the lease is given back: the other leads and completes', async () => {
    const lease = 'given-back'
    const one = stand.run({ lease })
    await one.quiet()
    const other = stand.run({ lease })
    await until('the other has its lists', () => (other.controller.isIn ? true : undefined))
    expect(other.controller.isLeading).toBe(false)
    await stand.create(named('s', 20))
    await one.stop()
    await stand.addressesOf(named('s', 20))
    expect(other.controller.isLeading).toBe(true)
    await other.quiet()
  })
})

/** A promise, and what keeps it. */
function latch(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((kept) => {
    resolve = kept
  })
  return { promise, resolve: () => resolve() }
}

/** No Address is made before the test says so. */
function heldClaims() {
  const { promise: resumed, resolve: resume } = latch()
  const { promise: claimed, resolve: claim } = latch()
  const spoil: Spoil = ({ method, path }, pass) => {
    if (method !== 'POST' || !path.endsWith('/addresses')) return undefined
    claim()
    return resumed.then(pass)
  }
  return { spoil, claimed, resume }
}

/** What another leader writes: the record of the claim, and the status that shows it. */
async function givenByAnother(service: string, given: { pool: string; address: string }) {
  const { namespace, services } = stand
  const { uid } = (await services.get(service)).metadata
  const holder = { kind: 'Service', namespace, name: service, uid, ports: ['TCP/80'], backend: '' }
  const labels = { 'app.kubernetes.io/managed-by': 'berth' }
  const annotations = {
    'metallb.io/address-pool': given.pool,
    'metallb.io/ip-allocated-from-pool': given.pool,
  }
  const status = { loadBalancer: { ingress: [{ ip: given.address }] } }
  return {
    record: {
      apiVersion: 'berth.dev/v1alpha1',
      kind: 'Address',
      metadata: { name: given.address, labels },
      spec: { ...given, sharingKey: '', holders: [holder] },
    },
    status: { type: merge, body: { metadata: { annotations }, status }, subresource: 'status' },
  }
}

/** Services are seen in order: whoever says something of a new one has seen all before it. */
async function hasSeenIt(marker: string): Promise<void> {
  await stand.services.create(asking(marker, 'nowhere'))
  await until('it waits', async () => conditionOf(await stand.services.get(marker)))
}
