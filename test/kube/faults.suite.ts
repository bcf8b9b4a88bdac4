// Whatever fails around the controller: is any address lost, moved or given twice (P1, P2)?
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { ApiError, Fault } from '../../src/edge/kube/api/fault.ts'
import { core, merge, verbs } from './cluster.ts'
import {
  addressOf,
  asking,
  type Cluster,
  conditionOf,
  isClaimWrite,
  ownNamespace,
  pool,
  type Running,
  type RunOptions,
  runController,
  type Spoil,
  shownBy,
  startCluster,
  writesIn,
} from './controllers.ts'
import { kubeconfigFor } from './harness.ts'
import { type Witness, witness, wrongsAtRest } from './promiseOne.ts'
import { until } from './waits.ts'
import { newWire } from './wire.ts'

/** Ports of the machine are not ours to take in a test. */
const quietly = ['--port=0', '--health-probe-port=0', '--webhook-mode=disabled']

const isHere = inject('kube') !== undefined
let cluster: Cluster
let seen: Witness
let namespace = ''
let at = 0
let services: ReturnType<typeof verbs>
let running: Running[] = []

beforeAll(async () => {
  if (isHere) cluster = await startCluster()
})
afterAll(async () => {
  await cluster?.stop()
})
beforeEach(async () => {
  if (!isHere) return
  namespace = `fault-${++at}`
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: namespace } })
  await cluster.pools.create(pool(namespace, [`10.3.${at}.0/24`]))
  services = cluster.services(namespace)
  seen = witness(cluster.admin)
})
/** Whatever the test did: P1 held at every moment, and at rest everything agrees. */
afterEach(async () => {
  if (!isHere) return
  await Promise.all(running.splice(0).map((one) => one.stop()))
  const last = runController(cluster.kube, { lease: `last-${at}` })
  await last.quiet()
  await last.stop()
  await seen.end()
  expect(seen.violations).toEqual([])
  expect(await wrongsAtRest(cluster)).toEqual([])
  for (const { metadata } of (await services.list()).items) await services.remove(metadata.name)
})

let leases = 0
/** A lease of its own: whoever had one before is taken for dead. */
function run(options: RunOptions = {}): Running {
  const one = runController(cluster.kube, { lease: `lease-${++leases}`, ...options })
  running.push(one)
  return one
}

/** mulberry32: the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const create = (names: readonly string[]) =>
  Promise.all(names.map((name) => services.create(asking(name, namespace))))
const named = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`)
const addressesOf = (names: readonly string[]) =>
  Promise.all(names.map((name) => addressOf(services, name)))

const refusal = (code: number, retryAfterMs?: number): ApiError =>
  new ApiError({ request: 'test', code, reason: '', message: '', status: {}, retryAfterMs })

describe.skipIf(!isHere)('answers that fail', () => {
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
    const one = run({ spoil })
    const names = named('s', 40)
    await create(names)
    const ips = await addressesOf(names)
    expect(new Set(ips).size).toBe(40)
    await one.quiet()
    expect(await addressesOf(names)).toEqual(ips)
  })

  test('[P6] one Service that the API refuses does not hold up the others', async () => {
    const spoil: Spoil = ({ method, path }) =>
      method === 'PATCH' && path.includes('/bad') ? Promise.reject(refusal(422)) : undefined
    const one = run({ spoil })
    await create(named('bad', 40))
    await create(named('good', 10))
    await addressesOf(named('good', 10))
    expect(one.seen.filter(({ path }) => path.includes('/bad0/')).length).toBeLessThan(20)
    for (const name of named('bad', 40)) await services.remove(name)
  })

  test('[R3.13] a kind that may not be listed freezes addressing; once it may, it goes on', async () => {
    const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterroles' }
    const bindings = { ...roles, plural: 'clusterrolebindings' }
    const all = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }
    const most = { ...all, apiGroups: ['', 'metallb.io', 'coordination.k8s.io'] }
    const definitions = { ...all, apiGroups: ['apiextensions.k8s.io', 'network.openstack.org'] }
    const addresses = { ...all, apiGroups: ['berth.dev'], resources: ['addresses'] }
    await verbs(cluster.admin, roles).create({
      metadata: { name: 'berth' },
      rules: [most, definitions, addresses],
    })
    await verbs(cluster.admin, bindings).create({
      metadata: { name: 'berth' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'berth' },
      subjects: [{ kind: 'User', name: 'berth' }],
    })
    const one = run({ user: 'berth' })
    await create(['web'])
    await until('it says why', () => one.log.find((line) => line.includes('tenants')))
    expect(one.controller.isIn).toBe(false)
    expect(shownBy(await services.get('web'))).toEqual([])
    const rules = [most, definitions, { ...addresses, resources: ['*'] }]
    await verbs(cluster.admin, roles).patch('berth', { type: merge, body: { rules } })
    await addressOf(services, 'web')
    await one.quiet()
  })
})

describe.skipIf(!isHere)('the server and the way to it', () => {
  test('[P2] the API server is killed and comes back under load', async () => {
    const one = run()
    await create(named('before', 20))
    const kept = await addressesOf(named('before', 20))
    const under = Promise.allSettled(
      named('under', 30).map((name) => services.create(asking(name, namespace))),
    )
    await sleep(50)
    await cluster.kube.stopApi('SIGKILL')
    await under
    await cluster.kube.startApi()
    await create(named('after', 10))
    await addressesOf(named('after', 10))
    await one.quiet()
    expect(await addressesOf(named('before', 20))).toEqual(kept)
  })

  test('[P2] connections are reset again and again', async () => {
    const wire = await newWire(cluster.kube)
    const one = runController(wire.address, { lease: `lease-${++leases}` })
    running.push(one)
    await one.quiet()
    const names = named('s', 40)
    const made = create(names)
    for (let times = 0; times < 5; times++) {
      await sleep(100)
      wire.cut()
      await sleep(50)
      wire.mend()
    }
    await made
    const ips = await addressesOf(names)
    expect(new Set(ips).size).toBe(40)
    await one.quiet()
    await Promise.all(running.splice(0).map((ended) => ended.stop()))
    await wire.close()
  })
})

describe.skipIf(!isHere)('more than one', () => {
  /** Services, ports, keys and pools that change; the same in every run. */
  async function churn(random: () => number, steps: number): Promise<void> {
    const pick = (count: number) => Math.floor(random() * count)
    for (let step = 0; step < steps; step++) {
      const name = `s${pick(12)}`
      const ask = pick(3) === 0 ? { 'metallb.io/loadBalancerIPs': `10.3.${at}.${pick(4)}` } : {}
      const share = pick(2) === 0 ? { 'metallb.io/allow-shared-ip': 'k' } : {}
      const ports = [{ port: 80 + pick(3) }]
      const acts = [
        () =>
          services.create(
            asking(name, namespace, { annotations: { ...ask, ...share }, spec: { ports } }),
          ),
        () => services.remove(name),
        () =>
          services.patch(name, {
            type: merge,
            body: {
              metadata: { annotations: { 'metallb.io/loadBalancerIPs': null, ...ask } },
              spec: { ports },
            },
          }),
        () => {
          const addresses = pick(2) === 0 ? [`10.3.${at}.0/24`] : [`10.3.${at}.2-10.3.${at}.9`]
          return cluster.pools.patch(namespace, { type: merge, body: { spec: { addresses } } })
        },
      ]
      await acts[Math.min(pick(10), 9) % (pick(5) === 0 ? 4 : 3)]?.().catch(() => undefined)
    }
  }

  test('[P1] two leaders at once while Services, ports and pools change', async () => {
    const [one, other] = [run(), run()]
    await Promise.all([one.quiet(), other.quiet()])
    await churn(seeded(11), 150)
    await one.stop()
    await other.quiet()
    expect(await wrongsAtRest(cluster)).toEqual([])
  })

  test('[P1] the same with watches that are 100 ms late', async () => {
    const [one, other] = [run({ lateMs: 100 }), run({ lateMs: 100 })]
    await Promise.all([one.quiet(), other.quiet()])
    await churn(seeded(13), 100)
    await one.stop()
    await other.quiet()
  })

  test('[P1] 60 Services at once before two leaders: each its own address', async () => {
    const [one, other] = [run(), run()]
    await Promise.all([one.quiet(), other.quiet()])
    const names = named('s', 60)
    await create(names)
    expect(new Set(await addressesOf(names)).size).toBe(60)
  })

  test('[R3.12] paused between claim and status, it cannot show the address afterwards', async () => {
    let isPaused = false
    let resume = (): void => undefined
    const resumed = new Promise<void>((resolve) => {
      resume = resolve
    })
    const late: Promise<unknown>[] = []
    const spoil: Spoil = ({ method, path }, pass) => {
      if (!isPaused || method !== 'PATCH' || !path.endsWith('/web/status')) return undefined
      late.push(resumed.then(pass))
      return late.at(-1)
    }
    const [name, address] = [`${namespace}-late`, `10.5.${at}.1`]
    const one = run({ spoil })
    await services.create(asking('web', name))
    await until('it waits', async () => conditionOf(await services.get('web')))
    await one.quiet()
    isPaused = true
    await cluster.pools.create(pool(name, [`${address}/32`]))
    await until('it is claimed', () => cluster.addresses.get(address).catch(() => undefined))
    await cluster.pools.remove(name)
    run()
    await until('the claim is given up', () => {
      return cluster.addresses.get(address).then(
        () => undefined,
        () => true as const,
      )
    })
    isPaused = false
    resume()
    await expect(late[0]).rejects.toMatchObject({ code: 409 })
    expect(shownBy(await services.get('web'))).toEqual([])
  })

  test('[P2] who only watched takes over without a write: nothing moves', async () => {
    const lease = `lease-${++leases}`
    const one = run({ lease })
    await one.quiet()
    const other = run({ lease })
    await cluster.pools.create(pool(`${namespace}-one`, [`10.4.${at}.1/32`]))
    await services.create(asking('first', `${namespace}-one`))
    await addressOf(services, 'first')
    await services.create(asking('second', `${namespace}-one`))
    const annotations = { 'metallb.io/address-pool': 'nowhere' }
    await services.patch('first', { type: merge, body: { metadata: { annotations } } })
    const address = await addressOf(services, 'second')
    await one.quiet()
    await one.stop()
    await other.quiet()
    expect(writesIn(other.seen)).toEqual([])
    expect(await addressOf(services, 'second')).toBe(address)
  })

  test('[R3.12] the lease is given back: the other leads and completes', async () => {
    const lease = `lease-${++leases}`
    const one = run({ lease })
    await one.quiet()
    const other = run({ lease })
    await until('the other has its lists', () => (other.controller.isIn ? true : undefined))
    expect(other.controller.isLeading).toBe(false)
    await create(named('s', 20))
    await one.stop()
    await addressesOf(named('s', 20))
    expect(other.controller.isLeading).toBe(true)
    await other.quiet()
  })
})

describe.skipIf(!isHere)('kill -9', () => {
  /** Dead before or after its n-th write: nothing more goes out, no answer comes in. */
  function dying(after: number, isSent: boolean): { spoil: Spoil; died: Promise<void> } {
    let [writes, isDead] = [0, false]
    let die = (): void => undefined
    const died = new Promise<void>((resolve) => {
      die = resolve
    })
    const never = new Promise<never>(() => undefined)
    const spoil: Spoil = (request, pass) => {
      if (isDead) return Promise.reject(new Fault('dead'))
      if (!isClaimWrite(request) || ++writes < after) return undefined
      isDead = true
      die()
      if (isSent) pass().catch(() => undefined)
      return never
    }
    return { spoil, died }
  }

  test('[P1] between any two writes, 40 times', async () => {
    const random = seeded(17)
    for (let round = 0; round < 40; round++) {
      const { spoil, died } = dying(1 + Math.floor(random() * 6), random() < 0.5)
      const victim = run({ spoil })
      const name = `s${round % 8}`
      await services.create(asking(name, namespace)).catch(() => services.remove(name))
      await create([`t${round}-0`, `t${round}-1`])
      await Promise.race([died, victim.quiet().catch(() => undefined)])
      await victim.stop()
      running = []
    }
    const last = run()
    await last.quiet()
    for (const { metadata } of (await services.list()).items) {
      await addressOf(services, metadata.name)
    }
  }, 120_000)

  test('[P1] of the program itself, under load, 10 times', async () => {
    const kubeconfig = join(cluster.kube.folder, 'admin.kubeconfig')
    writeFileSync(kubeconfig, kubeconfigFor(cluster.kube, 'admin'))
    const lease = verbs(cluster.admin, {
      group: 'coordination.k8s.io',
      version: 'v1',
      plural: 'leases',
      namespace: ownNamespace,
    })
    const program = join(import.meta.dirname, '../../src/main.ts')
    const random = seeded(19)
    for (let round = 0; round < 10; round++) {
      // The one before is dead: nobody has to wait until its lease expires.
      await lease.remove('berth-controller').catch(() => undefined)
      const args = [program, 'controller', '--kubeconfig', kubeconfig, ...quietly]
      const child = spawn(process.execPath, args, { stdio: 'ignore' })
      const ended = once(child, 'exit')
      const names = named(`k${round}-`, 8)
      await create(names)
      await addressOf(services, `k${round}-0`)
      await sleep(random() * 60)
      child.kill('SIGKILL')
      await ended
    }
    const last = run()
    await last.quiet()
    const names = named('k', 10).flatMap((prefix) => named(`${prefix}-`, 8))
    expect(new Set(await addressesOf(names)).size).toBe(80)
  }, 120_000)
})
