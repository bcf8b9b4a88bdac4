// Whatever fails around the controller: is any address lost, moved or given twice (P1, P2)?
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ApiError, Fault } from '../../src/edge/kube/api/fault.ts'
import { merge, verbs } from './cluster.ts'
import { addressOf, asking, isClaimWrite, type Spoil, shownBy } from './controllers.ts'
import { stand, underFaults } from './faultCase.ts'
import { named } from './faultStand.ts'
import { seeded } from './seeded.ts'
import { until } from './waits.ts'
import { newWire } from './wire.ts'

const refusal = (code: number, retryAfterMs?: number): ApiError =>
  new ApiError({ request: 'test', code, reason: '', message: '', status: {}, retryAfterMs })

underFaults('answers that fail', () => {
  test('[P1] 409, 429, 500, no answer, and answers that are lost after the write', async () => {
    const random = seeded(7)
    const spoil: Spoil = (request, pass) => {
      if (!isClaimWrite(request) || random() < 0.7) return undefined
      const kind = Math.floor(random() * 5)
      if (kind === 0) return Promise.reject(refusal(409))
      if (kind === 1) return Promise.reject(refusal(429, 200))
      if (kind === 2) return Promise.reject(refusal(500))
      if (kind === 3) return Promise.reject(new Fault('no answer'))
      return pass().then(() => Promise.reject(new Fault('the answer was lost')))
    }
    const one = stand.run({ spoil })
    const names = named('s', 40)
    await stand.create(names)
    const ips = await stand.addressesOf(names)
    expect(new Set(ips).size).toBe(40)
    await one.quiet()
    expect(await stand.addressesOf(names)).toEqual(ips)
    expect(await stand.timeline.shownOnly()).toEqual([])
  })

  test('[P6] one Service that the API refuses does not hold up the others', async () => {
    const spoil: Spoil = ({ method, path }) =>
      method === 'PATCH' && path.includes('/bad') ? Promise.reject(refusal(422)) : undefined
    const one = stand.run({ spoil })
    await stand.create(named('bad', 40))
    await stand.create(named('good', 10))
    await stand.addressesOf(named('good', 10))
    expect(one.seen.filter(({ path }) => path.includes('/bad0/')).length).toBeLessThan(20)
    for (const name of named('bad', 40)) await stand.services.remove(name)
  })

  test('[R3.12] that it is gone, told later than that it was made again, takes nothing away', async () => {
    const { services, namespace, run } = stand
    let [isAnswered, isMadeAgain] = [false, false]
    const spoil: Spoil = async ({ method, path }, pass) => {
      if (method !== 'GET' || !path.endsWith('/services/web')) return pass()
      const answer = pass()
      await answer.catch(() => undefined)
      isAnswered = true
      await until('it is made again', () => isMadeAgain || undefined)
      return answer
    }
    const one = run({ spoil })
    await stand.create(['web'])
    await stand.addressesOf(['web'])
    await services.remove('web')
    await until('it is gone', () => isAnswered || undefined)
    const { uid } = (await services.create(asking('web', namespace))).metadata
    await until('it has come', () => {
      return one.controller.world.services.get(`${namespace}/web`)?.uid === uid || undefined
    })
    isMadeAgain = true
    await stand.addressesOf(['web'])
    await one.quiet()
  })

  test('[R3.13] a kind that may not be listed freezes addressing; once it may, it goes on', async () => {
    const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterroles' }
    const bindings = { ...roles, plural: 'clusterrolebindings' }
    const all = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }
    const most = { ...all, apiGroups: ['', 'metallb.io', 'coordination.k8s.io'] }
    const definitions = { ...all, apiGroups: ['apiextensions.k8s.io', 'network.openstack.org'] }
    const addresses = { ...all, apiGroups: ['berth.dev'], resources: ['addresses'] }
    await verbs(stand.cluster.admin, roles).create({
      metadata: { name: 'berth' },
      rules: [most, definitions, addresses],
    })
    await verbs(stand.cluster.admin, bindings).create({
      metadata: { name: 'berth' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'berth' },
      subjects: [{ kind: 'User', name: 'berth' }],
    })
    const one = stand.run({ user: 'berth' })
    await stand.create(['web'])
    await until('it says why', () => one.log.find((line) => line.includes('tenants')))
    expect(one.controller.isIn).toBe(false)
    expect(shownBy(await stand.services.get('web'))).toEqual([])
    const rules = [most, definitions, { ...addresses, resources: ['*'] }]
    await verbs(stand.cluster.admin, roles).patch('berth', { type: merge, body: { rules } })
    await addressOf(stand.services, 'web')
    await one.quiet()
  })
})

underFaults('the server and the way to it', () => {
  test('[P2] the API server is killed and comes back under load', async () => {
    const one = stand.run()
    await stand.create(named('before', 20))
    const kept = await stand.addressesOf(named('before', 20))
    const under = Promise.allSettled(named('under', 30).map((name) => stand.create([name])))
    await sleep(50)
    await stand.cluster.kube.stopApi('SIGKILL')
    await under
    await stand.cluster.kube.startApi()
    await stand.create(named('after', 10))
    await stand.addressesOf(named('after', 10))
    await one.quiet()
    expect(await stand.addressesOf(named('before', 20))).toEqual(kept)
  })

  test('[P2] connections are reset again and again', async () => {
    const wire = await newWire(stand.cluster.kube)
    const one = stand.run({}, wire.address)
    await one.quiet()
    const names = named('s', 40)
    const made = stand.create(names)
    for (let times = 0; times < 5; times++) {
      await sleep(100)
      wire.cut()
      await sleep(50)
      wire.mend()
    }
    await made
    const ips = await stand.addressesOf(names)
    expect(new Set(ips).size).toBe(40)
    await one.quiet()
    await one.stop()
    await wire.close()
  })
})
