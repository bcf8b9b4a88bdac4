// Which objects do the suites make? One of each kind that is served, as small as it may be.

type Meta = { readonly labels?: object; readonly namespace?: string }
export const map = (name: string, data: object = {}, meta: Meta = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...meta },
  data,
})

const labels = { app: 'x' }
const containers = [{ name: 'c', image: 'nginx:1', ports: [{ containerPort: 80 }] }]
/** Nobody gives namespaces their accounts here. */
const podSpec = { containers, automountServiceAccountToken: false }

export const pod = (name: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { ...podSpec, ...spec },
})
export const service: object = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', labels },
  spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
}
export const deployment: object = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'dep', labels },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: podSpec },
  },
}
export const node = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
})

/** Those in a namespace, by the name that describes them. */
export const inNamespace: Readonly<Record<string, object>> = {
  'cm/cm': map('cm', { a: '1' }, { labels }),
  'secret/sec': {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'sec' },
    stringData: { password: 'hunter2' },
  },
  'sa/acc': { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'acc' } },
  'svc/web': service,
  'pod/pod': pod('pod'),
  'deploy/dep': deployment,
  'lease/lease': {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'lease' },
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15 },
  },
  'endpointslice/web-1': {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080 }],
    endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
  },
  'event/made': {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'made' },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'pod' },
    reason: 'Made',
    message: 'it was made',
    type: 'Normal',
    count: 1,
  },
}

/** A kind of a suite's own; no two may have the same names at once. */
export const crdOf = (kind: 'Ship' | 'Boat'): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${pluralOf(kind)}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural: pluralOf(kind), shortNames: [kind.slice(0, 3).toLowerCase()] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Deep', type: 'string', jsonPath: '.spec.deep', priority: 1 },
        ],
        schema: { openAPIV3Schema },
      },
    ],
  },
})

const group = 'kubectl.berth.dev'
const pluralOf = (kind: string): string => `${kind.toLowerCase()}s`

const condition = {
  type: 'object',
  properties: { type: { type: 'string' }, status: { type: 'string' } },
}
const openAPIV3Schema = {
  type: 'object',
  description: 'It swims.',
  properties: {
    spec: {
      type: 'object',
      description: 'What it is.',
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10, description: 'Its size.' },
        deep: { type: 'string' },
        mode: { type: 'string', enum: ['sail', 'motor'], default: 'sail' },
      },
    },
    status: {
      type: 'object',
      properties: { conditions: { type: 'array', items: condition } },
    },
  },
}

export const customOf = (kind: 'Ship' | 'Boat', spec: object): object => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name: 'a' },
  spec,
})
