// Do names resolve, at once and all the time? Asked with dig of the dnsmasq that `berth up` runs.
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { expect, inject, test } from 'vitest'
import { configMap, core, merge, verbs } from '../kube/cluster.ts'
import { until } from '../kube/waits.ts'
import { newData } from '../up/berth.ts'
import { answers, dig, newMachine, otherServer, pathWithoutDnsmasq } from './machine.ts'

const onDns = test.skipIf(!inject('hasDns'))
const compute = 'edpm-compute-0.internalapi.example.com'

onDns('[R13.4] hosts come, change and go without a restart', async () => {
  const machine = await newMachine()
  await machine.newNamespace()
  await machine.serve()
  await machine.register('computes', ['172.17.0.100', compute], ['fd00:17::100', compute])
  const port = await machine.port()
  await answers(port, [compute, 'A'], '172.17.0.100')
  await answers(port, [compute, 'AAAA'], 'fd00:17::100')
  expect(dig(port, '+tcp', compute, 'A')).toBe('172.17.0.100')
  expect(dig(port, '-x', '172.17.0.100')).toBe(`${compute}.`)
  expect(dig(port, '-x', 'fd00:17::100')).toBe(`${compute}.`)
  expect(dig(port, 'nobody.openstack.svc')).toBe('NXDOMAIN')
  const pid = machine.pid()

  await machine.change('computes', ['172.17.0.101', compute])
  await answers(port, [compute, 'A'], '172.17.0.101')
  await answers(port, ['-x', '172.17.0.101'], `${compute}.`)
  expect(dig(port, '-x', '172.17.0.100')).not.toContain(compute)

  await machine.maps.create(configMap('printers', { printers: '10.0.0.9 printer.openstack.svc\n' }))
  await machine.register('more', ['10.0.0.8', 'more.openstack.svc'])
  await answers(port, ['more.openstack.svc'], '10.0.0.8')
  expect(dig(port, 'printer.openstack.svc')).toBe('NXDOMAIN')
  const labels = { dnsmasqhosts: 'dnsdata' }
  const body = { metadata: { labels } }
  await machine.maps.patch('printers', { type: merge, body })
  await answers(port, ['printer.openstack.svc'], '10.0.0.9')

  await machine.data.remove('more')
  await answers(port, ['more.openstack.svc'], 'NXDOMAIN')
  expect(machine.pid()).toBe(pid)
})

onDns('[R13.4] servers change without a restart, other options only if they are good', async () => {
  const machine = await newMachine()
  await machine.newNamespace()
  const [first, second] = [5971, 5972]
  otherServer(first, '--host-record=www.corp.test,192.0.2.1')
  otherServer(second, '/corp.test/192.0.2.2')
  const server = (port: number) => ({ key: 'server', values: [`/corp.test/127.0.0.1#${port}`] })
  await machine.serve(server(first))
  const port = await machine.port()
  await answers(port, ['www.corp.test'], '192.0.2.1')
  const pid = machine.pid()

  await machine.configure(server(second))
  await answers(port, ['www.corp.test'], '192.0.2.2')
  await machine.configure(
    { key: 'rev-server', values: ['192.0.2.0/24', `127.0.0.1#${first}`] },
    { key: 'local', values: ['/corp.test/'] },
  )
  await answers(port, ['-x', '192.0.2.1'], 'www.corp.test.')
  expect(dig(port, 'www.corp.test')).toBe('NXDOMAIN')
  await machine.configure(server(second))
  await answers(port, ['www.corp.test'], '192.0.2.2')
  expect(machine.pid()).toBe(pid)

  const text = (value: string) => ({ key: 'txt-record', values: ['said.test', value] })
  await machine.configure(server(second), text('{{ braces }}'), { key: 'cname', values: ['a'] })
  const said = await machine.message('DeploymentReady', /spec\.options/)
  expect(said).toBe(
    'Deployment error occurred spec.options[2]: "cname=a" is not accepted: bad CNAME',
  )
  expect(machine.pid()).toBe(pid)
  expect(dig(port, 'www.corp.test')).toBe('192.0.2.2')

  await machine.configure(server(second), text('{{ braces }}'))
  await machine.message('DeploymentReady', /^Deployment completed$/)
  await answers(port, ['said.test', 'TXT'], '"{{ braces }}"')
})

onDns('[R13.4] what is killed comes back on its port, dnsmasq and berth up alike', async () => {
  const machine = await newMachine()
  await machine.newNamespace()
  await machine.serve()
  await machine.register('computes', ['172.17.0.100', compute])
  const port = await machine.port()
  await answers(port, [compute], '172.17.0.100')
  const first = machine.pid()
  process.kill(first, 'SIGKILL')
  await answers(port, [compute], '172.17.0.100')
  expect(machine.pid()).not.toBe(first)

  const orphan = machine.pid()
  await machine.up.stop('SIGKILL')
  const again = await newMachine(machine.folder)
  await until('the orphan has ended', () => (isThere(orphan) ? undefined : true))
  expect(await again.port()).toBe(port)
  await answers(port, [compute], '172.17.0.100')

  await again.servers.remove('dns')
  await until('nobody answers', () => (dig(port, compute) === 'no answer' ? true : undefined))
  await again.up.stop('SIGTERM')
})

const isThere = (pid: number): boolean => spawnSync('kill', ['-0', `${pid}`]).status === 0

onDns('[R13.5] a Service is known by its name as long as it has an address', async () => {
  const machine = await newMachine()
  await machine.newNamespace()
  await machine.serve()
  const port = await machine.port()
  const { api } = machine.up
  const pools = { group: 'metallb.io', version: 'v1beta1', plural: 'ipaddresspools' }
  await verbs(api, { ...pools, namespace: 'metallb-system' }).create({
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: 'internalapi' },
    spec: { addresses: ['172.17.0.80-172.17.0.90'] },
  })
  const services = verbs(api, core('services', 'openstack'))
  const hostname = 'keystone-internal.openstack.svc'
  await services.create({
    metadata: {
      name: 'keystone',
      annotations: { 'dnsmasq.network.openstack.org/hostname': hostname },
    },
    spec: { type: 'LoadBalancer', ports: [{ port: 5000 }] },
  })
  await answers(port, [hostname], '172.17.0.80')
  expect(dig(port, '-x', '172.17.0.80')).toBe(`${hostname}.`)
  await services.remove('keystone')
  await answers(port, [hostname], 'NXDOMAIN')
})

onDns('[R13.6] without dnsmasq the status says what to install', async () => {
  const machine = await newMachine(newData(), { path: pathWithoutDnsmasq })
  await machine.newNamespace()
  await machine.serve()
  const said = await machine.message('DeploymentReady', /not installed/)
  expect(said).toContain('apt-get install dnsmasq-base')
})

onDns('[R13.4] 100,000 hosts are answered for', async () => {
  const machine = await newMachine()
  await machine.newNamespace()
  await machine.serve()
  const port = await machine.port()
  for (let at = 0; at < 100; at++) {
    const hosts = Array.from({ length: 1_000 }, (_, index): [string, string] => {
      return [`10.${at}.${index >> 8}.${index & 255}`, `h${at}-${index}.openstack.svc`]
    })
    await machine.register(`rack-${at}`, ...hosts)
  }
  await answers(port, ['h0-0.openstack.svc'], '10.0.0.0')
  await answers(port, ['h99-999.openstack.svc'], '10.99.3.231')
  expect(dig(port, '-x', '10.50.1.2')).toBe('h50-258.openstack.svc.')
})

onDns('[R13.10] the names of the Site, until it is unplugged', async () => {
  const machine = await newMachine()
  await machine.newNamespace()
  await machine.serve()
  const port = await machine.port()
  const annotations = { 'berth.dev/site-names': 'true' }
  await machine.servers.patch('dns', { type: merge, body: { metadata: { annotations } } })
  const sites = verbs(machine.up.api, { group: 'berth.dev', version: 'v1alpha1', plural: 'sites' })
  const at = (host: number) => ({
    apiVIP: `203.0.113.${host}`,
    ingressVIP: `203.0.113.${host + 1}`,
    prefixLength: 24,
    baseDomain: 'edge1.example.com',
  })
  await sites.create({
    ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'Site', metadata: { name: 'cluster' } },
    spec: { internalNetwork: '10.0.0.0/24', external: at(10) },
  })
  await answers(port, ['api.edge1.example.com'], '203.0.113.10')
  await answers(port, ['console.apps.edge1.example.com'], '203.0.113.11')
  await sites.patch('cluster', { type: merge, body: { spec: { external: at(20) } } })
  await answers(port, ['api.edge1.example.com'], '203.0.113.20')
  await answers(port, ['console.apps.edge1.example.com'], '203.0.113.21')
  expect(dig(port, 'other.edge1.example.com')).toBe('REFUSED')
  await sites.patch('cluster', { type: merge, body: { spec: { external: null } } })
  await answers(port, ['api.edge1.example.com'], 'REFUSED')
})
