// What do the Services of the two OpenStacks in examples/multi-rhoso have, once each is served?
export const cloudsReadme = 'examples/multi-rhoso/README.md'

const second: Readonly<Record<string, string>> = {
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
const first = Object.fromEntries(
  Object.entries(second).map(([name, ip]) => [
    name,
    ofTheFirst[ip] ?? ip.replace('172.27', '172.17'),
  ]),
)

const line = (addresses: object): string =>
  Object.entries(addresses)
    .map(([name, ip]) => `${name}=${ip}`)
    .sort()
    .join(' ')

/** By namespace, as addressesIn answers. */
export const clouds = { openstack: line(first), openstack2: line(second) } as const

/** The Services of a namespace with their addresses, from what `run` answers to kubectl. */
export function addressesIn(namespace: string, run: (command: string) => string): string {
  const path = '{range .items[*]}{.metadata.name}={.status.loadBalancer.ingress[0].ip} {end}'
  const text = run(`kubectl get services -n ${namespace} -o jsonpath='${path}'`)
  return text.trim().split(' ').sort().join(' ')
}
