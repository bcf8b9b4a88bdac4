// Which columns does a Service have? Type, cluster IP, external IP and ports.
import type { Fields } from '../../kube/decode/fields.ts'
import { ageOf } from './age.ts'
import { ageHeading, fieldsOf, nameHeading, type Shape } from './shape.ts'

export const serviceShape: Shape = {
  headings: [
    nameHeading,
    { name: 'Type', of: 'spec.type' },
    { name: 'Cluster-IP', of: 'spec.clusterIP' },
    { name: 'External-IP', of: 'spec.externalIPs' },
    { name: 'Port(s)', of: 'spec.ports' },
    ageHeading,
    { name: 'Selector', of: 'spec.selector', priority: 1 },
  ],
  cells: (object, nowMs) => {
    const service = fieldsOf(object)
    const [metadata, spec] = [service.inner('metadata'), service.inner('spec')]
    return [
      metadata.text('name'),
      spec.text('type'),
      spec.texts('clusterIPs')[0] ?? '<none>',
      outsideOf(service),
      spec.each('ports').map(portText).join(',') || '<none>',
      ageOf(metadata.text('creationTimestamp'), nowMs),
      selectorText(spec.labels('selector')),
    ]
  },
}

function outsideOf(service: Fields): string {
  const spec = service.inner('spec')
  const given = spec.texts('externalIPs')
  switch (spec.text('type')) {
    case 'ClusterIP':
    case 'NodePort':
      return given.join(',') || '<none>'
    case 'LoadBalancer':
      return [...ingressOf(service), ...given].join(',') || '<pending>'
    case 'ExternalName':
      return spec.text('externalName')
    default:
      return '<unknown>'
  }
}

/** Without duplicates, sorted. */
function ingressOf(service: Fields): readonly string[] {
  const ingress = service.inner('status').inner('loadBalancer').each('ingress')
  const points = ingress.map((point) => point.text('ip') || point.text('hostname'))
  return [...new Set(points.filter((point) => point !== ''))].sort()
}

function portText(port: Fields): string {
  const nodePort = port.number('nodePort') ?? 0
  const onNode = nodePort > 0 ? `:${nodePort}` : ''
  return `${port.number('port') ?? 0}${onNode}/${port.text('protocol')}`
}

/** `a=1,b=2`, sorted. */
function selectorText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
  return pairs.sort().join(',') || '<none>'
}
