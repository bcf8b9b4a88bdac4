// What is served on which address? Read from Services and their EndpointSlices, as kube-proxy does.
import { Fields } from '../../../edge/kube/decode/fields.ts'
import type { Served, Target } from './dataPath.ts'

const serviceLabel = 'kubernetes.io/service-name'

export const keyOf = (json: unknown): string => {
  const metadata = new Fields(json, []).inner('metadata')
  return `${metadata.text('namespace')}/${metadata.text('name')}`
}

/** The Service that a slice belongs to. */
export const serviceOf = (slice: unknown): string => {
  const metadata = new Fields(slice, []).inner('metadata')
  return `${metadata.text('namespace')}/${metadata.labels('labels')[serviceLabel] ?? ''}`
}

/** Ports that no slice resolves are left out. */
export function servedBy(service: unknown, slices: readonly unknown[]): readonly Served[] {
  const object = new Fields(service, [])
  const spec = object.inner('spec')
  const ingress = object.inner('status').inner('loadBalancer').each('ingress')
  const addresses = ingress.map((entry) => entry.text('ip')).filter((ip) => ip !== '')
  const readable = slices.map((slice) => new Fields(slice, []))
  return spec.each('ports').flatMap((port) => {
    const targetPort = readable.map((slice) => numberOf(slice, port.text('name'))).find(isNumber)
    if (targetPort === undefined || addresses.length === 0) return []
    return {
      protocol: port.text('protocol') === 'UDP' ? 'udp' : 'tcp',
      addresses,
      port: port.number('port') ?? 0,
      targetPort,
      targets: readable.flatMap(targetsIn).sort(byNode),
      isLocalOnly: spec.text('externalTrafficPolicy') === 'Local',
    }
  })
}

const isNumber = (value: number | undefined): value is number => value !== undefined

const numberOf = (slice: Fields, name: string): number | undefined =>
  slice
    .each('ports')
    .find((port) => port.text('name') === name)
    ?.number('port')

const targetsIn = (slice: Fields): Target[] =>
  slice
    .each('endpoints')
    .filter((endpoint) => endpoint.inner('conditions').flag('ready') !== false)
    .flatMap((endpoint) =>
      endpoint.texts('addresses').map((address) => ({ address, node: endpoint.text('nodeName') })),
    )

const byNode = (one: Target, other: Target): number =>
  `${one.node} ${one.address}` < `${other.node} ${other.address}` ? -1 : 1

export function grouped<T>(all: Iterable<T>, keyFor: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyFor(one)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return groups
}
