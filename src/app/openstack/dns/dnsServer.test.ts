import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientToNobody } from '../../../../test/build/apiClient.ts'
import { newClock } from '../../../../test/build/manualClock.ts'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { decode } from '../../../edge/kube/decode/decode.ts'
import { DnsServer } from './dnsServer.ts'

function serverWith(...values: readonly string[]) {
  const read = decode({
    apiVersion: 'network.openstack.org/v1beta1',
    kind: 'DNSMasq',
    metadata: { name: 'dns', namespace: 'red' },
    spec: { options: [{ key: 'server', values }] },
  })
  if (read.kind !== 'view' || read.view.kind !== 'DNSMasq') throw new Error('no DNSMasq')
  return read.view
}

test('[R13.4] an option that cannot be read is told until the DNSMasq is as it was', async () => {
  const server = new DnsServer({
    // Without hosts no process is started.
    api: clientToNobody(),
    clock: newClock(),
    random: () => 0,
    namespace: 'red',
    place: { folder: join(newFolder(), 'dns'), address: '127.0.0.1', port: 5353 },
    log: () => undefined,
    changed: () => undefined,
  })
  const [good, bad] = [serverWith('192.0.2.1'), serverWith('192.0.2.1\naddn-hosts=/etc/hosts')]
  const told: string[] = []
  for (const one of [good, bad, good]) {
    await server.configure(one)
    told.push(server.trouble)
  }
  const why = 'must be one line without control characters'
  expect(told).toEqual([
    '',
    expect.stringMatching(`^spec.options\\[0\\].values\\[0\\]: .*${why}`),
    '',
  ])
  await server.stop()
})
