// Do two OpenStacks on one cluster do what their README says, word for word? On `berth up`.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { type Machine, newMachine } from './machine.ts'

const readme = readFileSync('examples/multi-rhoso/README.md', 'utf8')
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines)
const here = (lines: string): string =>
  lines.replaceAll('berth up --background', 'berth up --background --port 0')
const kubeconfig = 'export KUBECONFIG=~/.local/share/berth/kubeconfig'
const wanted = {
  'keystone-internal': '172.27.0.80',
  'glance-default-internal': '172.27.0.80',
  rabbitmq: '172.27.0.85',
  'rabbitmq-cell1': '172.27.0.86',
  'swift-internal': '172.29.0.80',
  'dnsmasq-dns': '192.168.122.100',
}
const ofTheFirst: Readonly<Record<string, string>> = {
  '192.168.122.100': '192.168.122.80',
  '172.29.0.80': '172.18.0.80',
}

describe.skipIf(inject('kubectl') === '')('two OpenStacks on one cluster', () => {
  let machine: Machine
  const run = (lines: string) => machine.shell(`set -e\n${kubeconfig}\n${here(lines)}`)
  beforeAll(() => {
    machine = newMachine()
  })
  afterAll(() => machine?.remove())

  const addressesIn = (namespace: string): string => {
    const path = '{range .items[*]}{.metadata.name}={.status.loadBalancer.ingress[0].ip} {end}'
    const { text } = run(`kubectl get services -n ${namespace} -o jsonpath='${path}'`)
    return text.trim().split(' ').sort().join(' ')
  }
  const shown = (addresses: object): string =>
    Object.entries(addresses)
      .map(([name, ip]) => `${name}=${ip}`)
      .sort()
      .join(' ')
  const first = Object.fromEntries(
    Object.entries(wanted).map(([name, ip]) => [
      name,
      ofTheFirst[ip] ?? ip.replace('172.27', '172.17'),
    ]),
  )

  test('every block runs, and each cloud has its own range', async () => {
    expect(blocks.length).toBe(5)
    for (const lines of blocks) {
      if (lines.includes('berth down')) {
        await until('the second cloud is served', () =>
          addressesIn('openstack2') === shown(wanted) ? true : undefined,
        )
        expect(addressesIn('openstack')).toBe(shown(first))
      }
      const { exit, text } = run(lines)
      expect(exit, `${lines}\n${text}`).toBe(0)
    }
  })
})
