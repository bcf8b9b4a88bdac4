// Which Services does an OpenStackControlPlane ask for? What its overrides say, under the names
// that the operators give.
import type { ControlPlane, PlannedService } from '../../../core/model/controlPlane.ts'
import type { Labels } from '../../../core/model/selector.ts'
import { metallbAnnotation } from '../annotations.ts'
import { places, type ServiceOverride } from './controlPlaneTable.ts'
import { keyFrom, metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function decodeControlPlane(object: Fields): ControlPlane {
  const { name, namespace } = metaOf(object)
  const spec = object.inner('spec')
  const overrides = places.flatMap((place) => overridesAt(spec, place))
  return {
    kind: 'OpenStackControlPlane',
    key: keyFrom(namespace, name),
    name,
    namespace,
    services: [
      ...overrides.filter(isBalanced).map((one) => planned(one, namespace)),
      ...logging(spec),
    ],
    overrides: overrides.map(({ path, fields, name: service }) => ({
      namespace,
      name: service,
      field: path,
      annotations: fields.inner('metadata').labels('annotations'),
    })),
    isTls: spec.inner('tls').inner('podLevel').flag('enabled') !== false,
    takers: takersIn(spec),
  }
}

/** What an override says of one Service. */
type Override = {
  readonly path: string
  readonly fields: Fields
  readonly name: string
  readonly ports: readonly string[]
}

function overridesAt(spec: Fields, { path, shape, name, ports }: ServiceOverride): Override[] {
  const steps = path.split('.')
  const last = steps.at(-1) ?? ''
  return spotsAt(spec, steps.slice(0, -1)).flatMap(({ path: parent, fields, key }) => {
    const at = `${parent}.${last}`
    const called = name.replace('*', key).replace(/db$/, dbTypeOf(spec, key))
    if (shape === 'each') {
      return fields.each(last).map((one, index) => {
        return { path: `${at}[${index}]`, fields: one, name: `${called}-${index}`, ports }
      })
    }
    const override = fields.inner(last)
    if (shape === 'one') return [{ path: at, fields: override, name: called, ports }]
    return ['internal', 'public'].map((endpoint) => {
      const own = { path: `${at}.${endpoint}`, name: `${called}-${endpoint}` }
      return { ...own, fields: override.inner(endpoint), ports }
    })
  })
}

type Spot = { readonly path: string; readonly fields: Fields; readonly key: string }

/** Every place that the steps lead to, but through nothing that is switched off. */
function spotsAt(spec: Fields, steps: readonly string[]): readonly Spot[] {
  const start: readonly Spot[] = [{ path: 'spec', fields: spec, key: '' }]
  return steps.reduce((spots, step) => spots.flatMap((spot) => stepped(spot, step)), start)
}

function stepped({ path, fields, key }: Spot, step: string): readonly Spot[] {
  const names = step === '*' ? [...fields.names()].sort() : [step]
  return names
    .map((name) => ({
      path: `${path}.${name}`,
      fields: fields.inner(name),
      key: step === '*' ? name : key,
    }))
    .filter((spot) => spot.fields.flag('enabled') ?? !offByDefault.has(spot.path))
}

/** The definition's default is false. A live API fills it in; a file may leave it out. */
const offByDefault = new Set([
  ...['designate', 'heat', 'horizon', 'ironic', 'manila', 'octavia', 'redis', 'watcher'].map(
    (name) => `spec.${name}`,
  ),
  'spec.telemetry.template.autoscaling',
  'spec.telemetry.template.cloudkitty',
])

/** OVN's databases are called by what they are for: nb or sb. */
const dbTypeOf = (spec: Fields, key: string): string => {
  const clusters = spec.inner('ovn').inner('template').inner('ovnDBCluster')
  return clusters.inner(key).text('dbType').toLowerCase()
}

const isBalanced = ({ fields }: Override): boolean =>
  fields.inner('spec').text('type') === 'LoadBalancer'

/** What an operator takes over of the spec of an override; ports and addresses are its own. */
const takenOver = [
  'type',
  'sessionAffinity',
  'sessionAffinityConfig',
  'loadBalancerSourceRanges',
  'externalTrafficPolicy',
  'internalTrafficPolicy',
  'ipFamilyPolicy',
  'loadBalancerClass',
]

function planned({ path, fields, name, ports }: Override, namespace: string): PlannedService {
  const metadata = fields.inner('metadata')
  const annotations = metadata.labels('annotations')
  const given = Object.entries(fields.inner('spec').json)
  return {
    namespace,
    name,
    field: path,
    labels: metadata.labels('labels'),
    annotations,
    ...askedIn(annotations),
    spec: Object.fromEntries(given.filter(([field]) => takenOver.includes(field))),
    ports,
  }
}

const askedIn = (annotations: Labels) => ({
  asksPool: metallbAnnotation(annotations, 'address-pool') ?? '',
  asksAddresses: metallbAnnotation(annotations, 'loadBalancerIPs') ?? '',
})

/** It stands in another namespace, and is always a load balancer. */
function logging(spec: Fields): PlannedService[] {
  const [spot] = spotsAt(spec, ['telemetry', 'template', 'logging'])
  if (spot?.fields.flag('enabled') !== true) return []
  const { fields, path } = spot
  const port = fields.number('port') ?? 10514
  return [
    {
      namespace: fields.text('cloNamespace') || 'openshift-logging',
      name: 'openstack-logging',
      field: path,
      labels: noLabels,
      annotations: fields.labels('annotations'),
      ...askedIn(fields.labels('annotations')),
      spec: { type: 'LoadBalancer' },
      ports: [`TCP/${port}`],
    },
  ]
}

const noLabels: Labels = {}

/** The operators that take addresses behind the range of an attachment, where they are enabled. */
function takersIn(spec: Fields): Labels {
  const enabled = ['designate', 'octavia'].filter(
    (name) => spec.inner(name).flag('enabled') === true,
  )
  return Object.fromEntries(
    enabled.map((name) => {
      const attachment = spec.inner(name).inner('template').text(`${name}NetworkAttachment`)
      return [name, attachment || name]
    }),
  )
}
