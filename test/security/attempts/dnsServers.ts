// Can a tenant stop `berth up`, or the DNS servers of others, by those that it has started?
import { expect } from 'vitest'
import { core, verbs } from '../../kube/cluster.ts'
import { until } from '../../kube/waits.ts'
import { type Attempt, settle } from '../attempt.ts'
import { hostObject, openstack, withObjects } from '../hosts.ts'

const [long, mostBeside] = ['x'.repeat(253), 16]
const server = (name: string, options: readonly object[] = []) => ({
  of: openstack('dnsmasqs', 'alpha'),
  object: hostObject('DNSMasq', name, { options }),
})
const hosts = {
  of: core('configmaps', 'alpha'),
  object: {
    metadata: { name: long, labels: { dnsmasqhosts: 'dnsdata' } },
    data: { [long]: '192.0.2.1 one.example.com\n' },
  },
}
const names = Array.from({ length: mostBeside + 8 }, (_, at) => `many-${at}`)
const objects = [
  hosts,
  server('a'.repeat(230)),
  server('bad', [{ key: 'server', values: ['no address'] }]),
  ...names.map((name) => server(name)),
]

type Status = { readonly dnsAddresses?: readonly string[] }

/** R13.4, P6. */
export const dnsServers: Attempt = {
  name: 'A tenant has more DNS servers started than a machine can run, with very long names',
  holds: "a tenant's account or token",
  mustHold:
    'the program continues, the DNS server of another tenant is started, and ports are left',
  before: 'the program ended',
  engines: ['embedded'],
  async run(stand) {
    const servers = verbs(stand.admin, openstack('dnsmasqs', 'beta'))
    const answersAt = (of: ReturnType<typeof verbs>, name: string) =>
      until(`${name} is told where it answers`, async () => {
        const status = (await of.get(name))['status'] as Status | undefined
        return status?.dnsAddresses?.[0]
      })
    await withObjects(stand, objects, async () => {
      await answersAt(verbs(stand.admin, openstack('dnsmasqs', 'alpha')), 'many-0')
      await settle()
      await servers.create(hostObject('DNSMasq', 'of-beta', {}))
      try {
        await answersAt(servers, 'of-beta')
      } finally {
        await servers.remove('of-beta')
      }
      const deployments = {
        group: 'apps',
        version: 'v1',
        plural: 'deployments',
        namespace: 'alpha',
      }
      const { items } = await verbs(stand.admin, deployments).list()
      const started = items.filter(({ metadata }) => metadata.annotations?.['berth.dev/answers-at'])
      expect(started.length).toBeLessThanOrEqual(mostBeside)
      expect(stand.isRunning()).toBe(true)
    })
  },
}
