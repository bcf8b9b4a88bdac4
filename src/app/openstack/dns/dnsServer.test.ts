import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newClock } from '../../../../test/build/manualClock.ts'
import { newFolder } from '../../../../test/build/newFolder.ts'
import type { DnsMasq } from '../../../core/model/names/dns.ts'
import { DnsServer } from './dnsServer.ts'

test('[R13.4] an option that cannot be read is told until the DNSMasq is as it was', async () => {
  const parts = {
    // It never answers, so that no process is started.
    api: new Proxy({}, { get: () => () => new Promise(() => undefined) }),
    clock: newClock(),
    random: () => 0,
    place: { folder: join(newFolder(), 'dns'), address: '127.0.0.1', port: 5353 },
    log: () => undefined,
    changed: () => undefined,
  }
  const server = new DnsServer(parts as unknown as ConstructorParameters<typeof DnsServer>[0])
  const good = { namespace: 'red', selects: 'a', options: [], unread: [] }
  const bad = { ...good, unread: [{ path: 'spec.options[0]', message: 'is no option' }] }
  const told: string[] = []
  for (const one of [good, bad, good]) {
    await server.configure(one as unknown as DnsMasq)
    told.push(server.trouble)
  }
  expect(told).toEqual(['', 'spec.options[0]: is no option', ''])
})
