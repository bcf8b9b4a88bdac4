// Is it told who answers for the names of a Site?
import { expect, test } from 'vitest'
import { berth, folderOf } from '../../../../test/build/terminal.ts'

const files = {
  'dns.yaml': `apiVersion: network.openstack.org/v1beta1
kind: DNSMasq
metadata: {name: dns, namespace: openstack, annotations: {berth.dev/site-names: "true"}}
spec: {options: [{key: server, values: [192.168.122.1]}]}
---
apiVersion: network.openstack.org/v1beta1
kind: DNSMasq
metadata: {name: dns, namespace: other}
spec: {options: [{key: server, values: [192.168.122.1]}]}
---
apiVersion: network.openstack.org/v1beta1
kind: DNSData
metadata: {name: hosts, namespace: openstack}
spec:
  dnsDataLabelSelectorValue: dnsdata
  hosts: [{ip: 203.0.113.40, hostnames: [console.apps.edge1.example.com]}]
`,
  'site.yaml': `apiVersion: berth.dev/v1alpha1
kind: Site
metadata: {name: cluster}
spec:
  internalNetwork: 10.0.0.0/24
  external:
    {apiVIP: 203.0.113.10, ingressVIP: 203.0.113.11, prefixLength: 24, baseDomain: edge1.example.com}
`,
}
const explained = (name: string) => berth(['explain', 'name', name, '-f', folderOf(files)])

test.each([
  ['api.edge1.example.com', '203.0.113.10; read by openstack/dns', '203.0.113.10'],
  ['API.edge1.example.com.', '203.0.113.10; read by openstack/dns', '203.0.113.10'],
  ['grafana.apps.edge1.example.com', 'for all names of its domain; read by', '203.0.113.11'],
  ['*.apps.edge1.example.com', 'for all names of its domain; read by', '203.0.113.11'],
  ['console.apps.edge1.example.com', 'for all names of its domain; read by', '203.0.113.40'],
])('[R13.10] %s', async (name, given, answer) => {
  const { exit, out, err } = await explained(name)
  expect(exit, err).toBe(0)
  expect(out).toMatch(/^ {2}Site\/cluster /m)
  expect(out).toContain(given)
  const [, answered] = out.match(/^ {2}openstack\/dns +(\S.*)$/m) ?? []
  expect(answered).toBe(answer)
  expect(out).not.toMatch(/^ {2}other\/dns /m)
})

test('[R13.10] a name near to one of the Site is named', async () => {
  const { exit, err } = await explained('apl.edge1.example.com')
  expect(exit).toBe(1)
  expect(err).toContain('did you mean api.edge1.example.com')
})
