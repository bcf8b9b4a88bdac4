// Proves that a claim ends only on a record that names the Service with the ports that it has.
import { expect, test } from 'vitest'
import { addressRecord, holderOf } from '../../../test/build/addressRecord.ts'
import { ip, pool, service, worldOf } from '../../../test/build/announcing.ts'
import type { AddressView } from '../../core/model/address.ts'
import type { ServiceView } from '../../core/model/service.ts'
import { addresses } from '../../core/policy/decideAddress.ts'
import { Versions } from '../../edge/kube/feed/versions.ts'
import { Records } from './records.ts'

const address = ip('10.0.0.1')
const sharing = (name: string, port: string): ServiceView =>
  service(name, [], { sharingKey: 'k', ports: [port] })
const recordOf = (...services: readonly ServiceView[]): AddressView =>
  addressRecord('10.0.0.1', { pool: 'p', sharingKey: 'k', holders: services.map(holderOf) })

test('[R3.11] no claim on a port that another was given meanwhile', async () => {
  const [before, now] = [sharing('web', 'TCP/80'), sharing('web', 'TCP/81')]
  const other = sharing('other', 'TCP/81')
  const world = worldOf(pool('p', ['10.0.0.0/30']), now, other, recordOf(before, other))
  world.apply({ type: 'intent', intent: { service: now.key, ips: [address], wait: undefined } })
  const sent: string[] = []
  const records = new Records({
    api: {
      async call({ method, path }) {
        sent.push(`${method} ${path}`)
        return {}
      },
      stream: () => {
        throw new Error('nothing is watched')
      },
      close: () => undefined,
    },
    world,
    decider: addresses,
    versions: new Versions(),
    mayWrite: () => true,
    timestamp: () => '2026-01-01T00:00:00Z',
    sleep: async () => undefined,
  })
  await expect(records.claim(address, now)).rejects.toThrow('not claimed')
  expect(sent).toEqual([])
})
