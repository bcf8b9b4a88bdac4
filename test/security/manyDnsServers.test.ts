// Thousands of DNS servers that all change at once, and thousands of Services with one address. The
// attacker may make DNSMasqs and Services in its namespace. Afterwards: a DNS server of another
// namespace is made within one round, and meanwhile the controller does other work, such as renewing its
// Lease.
// Before: the other namespace waited for all of them, and the Lease ended.
import { expect, test } from 'vitest'
import { DeciderLoop } from '../../src/app/controller/deciderLoop.ts'
import { Troubles } from '../../src/app/controller/troubles.ts'
import { refOf } from '../../src/core/model/ref.ts'
import { World } from '../../src/core/model/world.ts'
import type { Write } from '../../src/core/model/write.ts'
import { dnsMasqs, usualImages } from '../../src/core/policy/names/decideDnsMasq.ts'
import { serviceNames } from '../../src/core/policy/names/decideServiceNames.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { systemClock } from '../../src/edge/host/clock.ts'
import type { Clock } from '../../src/edge/kube/api/clock.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { newClock } from '../build/manualClock.ts'

const server = (namespace: string, name: string) => ({
  apiVersion: 'network.openstack.org/v1beta1',
  kind: 'DNSMasq',
  metadata: { namespace, name, uid: `${namespace}-${name}` },
  spec: {},
})

function newLoop(clock: Clock, keep: (write: Write) => Promise<void>) {
  const world = new World(settings)
  const loop = new DeciderLoop({
    ...{ decider: dnsMasqs(usualImages), world, clock, troubles: new Troubles(() => undefined) },
    keeper: { keep, about: async () => undefined },
    timestamp: () => '2026-01-01T00:00:00Z',
    random: () => 1,
    mayWrite: () => true,
    say: () => undefined,
  })
  return { world, loop, put: putInto(world) }
}

const putInto =
  (world: World) =>
  (json: unknown): void => {
    const decoded = decode(json)
    if (decoded.kind === 'view') world.apply({ type: 'upsert', view: decoded.view })
  }

test('[R13.3] those of one namespace do not keep the others waiting', async () => {
  const kept: string[] = []
  const { loop, put } = newLoop(newClock(), async (write) => {
    const { namespace, name } = write.type === 'apply' ? refOf(write.object) : write.of
    kept.push(`${namespace}/${name}`)
  })
  const many = Array.from({ length: 1_000 }, (_, at) => server('alpha', `dns-${at}`))
  for (const json of [...many, server('zeta', 'dns')]) put(json)
  await loop.round()
  const servers = new Set(kept.filter((one) => /\/dnsmasq-[^/]*\d$/.test(one)))
  expect(kept).toContain('zeta/dnsmasq-dns')
  expect(servers.size).toBeLessThan(100)
  for (let round = 0; round < 100 && !loop.isQuiet; round++) await loop.round()
  expect(kept).toContain('alpha/dnsmasq-dns-999')
})

test('[R13.3] thousands that need nothing written let others of the process have a turn', async () => {
  const { loop, put } = newLoop(systemClock, async () => undefined)
  const namespaces = Array.from({ length: 60 }, (_, at) => `n-${at}`)
  for (const namespace of namespaces) {
    for (let at = 0; at < 16; at++) put(server(namespace, `dns-${at}`))
  }
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 1)
  await loop.round()
  clearInterval(counting)
  expect(loop.isQuiet).toBe(true)
  expect(turns).toBeGreaterThan(3)
})

test('[R13.5] 50,000 names for one address', () => {
  const world = new World(settings)
  const put = putInto(world)
  put(server('alpha', 'dns'))
  for (let at = 0; at < 50_000; at++) {
    put({
      ...{ apiVersion: 'v1', kind: 'Service' },
      metadata: {
        ...{ name: `s-${at}`, namespace: 'alpha', uid: `${at}` },
        annotations: { 'dnsmasq.network.openstack.org/hostname': `s-${at}.example.com` },
      },
      spec: { type: 'LoadBalancer', ports: [{ port: at + 1 }] },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    })
  }
  const { writes } = serviceNames.decide(world, 'alpha/dns', '2026-01-01T00:00:00Z')
  expect(JSON.stringify(writes)).toContain('s-49999.example.com')
  // It took over a minute.
}, 30_000)
