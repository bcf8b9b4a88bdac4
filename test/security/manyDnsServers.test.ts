// DNS servers by the thousand, which all change at once. The attacker may make DNSMasqs in its
// namespace. Afterwards: the one of another namespace is made before a round is over.
import { expect, test } from 'vitest'
import { DeciderLoop } from '../../src/app/controller/deciderLoop.ts'
import { Troubles } from '../../src/app/controller/troubles.ts'
import { refOf } from '../../src/core/model/ref.ts'
import { World } from '../../src/core/model/world.ts'
import type { Write } from '../../src/core/model/write.ts'
import { dnsMasqs, usualImages } from '../../src/core/policy/names/decideDnsMasq.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { newClock } from '../build/manualClock.ts'

const server = (namespace: string, name: string) => ({
  apiVersion: 'network.openstack.org/v1beta1',
  kind: 'DNSMasq',
  metadata: { namespace, name, uid: `${namespace}-${name}` },
  spec: {},
})

test('[R13.3] those of one namespace do not keep the others waiting', async () => {
  const world = new World(settings)
  const kept: string[] = []
  const keep = async (write: Write): Promise<void> => {
    const { namespace, name } = write.type === 'apply' ? refOf(write.object) : write.of
    kept.push(`${namespace}/${name}`)
  }
  const troubles = new Troubles(() => undefined)
  const loop = new DeciderLoop({
    ...{ decider: dnsMasqs(usualImages), world, clock: newClock(), troubles },
    keeper: { keep, about: async () => undefined },
    timestamp: () => '2026-01-01T00:00:00Z',
    random: () => 1,
    mayWrite: () => true,
    say: () => undefined,
  })
  const many = Array.from({ length: 1_000 }, (_, at) => server('alpha', `dns-${at}`))
  for (const json of [...many, server('zeta', 'dns')]) {
    const decoded = decode(json)
    if (decoded.kind === 'view') world.apply({ type: 'upsert', view: decoded.view })
  }
  await loop.round()
  const servers = new Set(kept.filter((one) => /\/dnsmasq-[^/]*\d$/.test(one)))
  expect(kept).toContain('zeta/dnsmasq-dns')
  expect(servers.size).toBeLessThan(100)
  for (let round = 0; round < 100 && !loop.isQuiet; round++) await loop.round()
  expect(kept).toContain('alpha/dnsmasq-dns-999')
})
