// Which Services does a control plane ask for, under which names, and from where?
import { expect, test } from 'vitest'
import { decodeControlPlane } from './decodeControlPlane.ts'
import { Fields } from './fields.ts'

const decoded = (spec: object) =>
  decodeControlPlane(new Fields({ metadata: { name: 'cp', namespace: 'openstack' }, spec }, []))
const override = (more: object = {}) => ({
  metadata: { annotations: { 'metallb.universe.tf/address-pool': 'internalapi' } },
  spec: { type: 'LoadBalancer', loadBalancerIP: '172.17.0.9', ...more },
})
const services = (spec: object) =>
  decoded(spec).services.map(({ namespace, name, field }) => `${namespace}/${name} ${field}`)

const internal = { override: { service: { internal: override() } } }
const single = { override: { service: override() } }
const cases: { title: string; spec: object; services: string[] }[] = [
  {
    title: 'an endpoint of an API',
    spec: { keystone: { template: internal } },
    services: ['openstack/keystone-internal spec.keystone.template.override.service.internal'],
  },
  {
    title: 'every key of a map',
    spec: { glance: { template: { glanceAPIs: { edge: internal, default: internal } } } },
    services: ['default', 'edge'].map(
      (key) =>
        `openstack/glance-${key}-internal ` +
        `spec.glance.template.glanceAPIs.${key}.override.service.internal`,
    ),
  },
  {
    title: 'a cell',
    spec: {
      nova: { template: { cellTemplates: { cell1: { noVNCProxyServiceTemplate: single } } } },
    },
    services: [
      'openstack/nova-novncproxy-cell1-public ' +
        'spec.nova.template.cellTemplates.cell1.noVNCProxyServiceTemplate.override.service',
    ],
  },
  {
    title: 'a database by what it is for',
    spec: { ovn: { template: { ovnDBCluster: { one: { dbType: 'SB', ...single } } } } },
    services: ['openstack/ovsdbserver-sb spec.ovn.template.ovnDBCluster.one.override.service'],
  },
  {
    title: 'one for each pod',
    spec: {
      rabbitmq: { templates: { mq: { podOverride: { services: [override(), override()] } } } },
    },
    services: [0, 1].map(
      (pod) => `openstack/mq-server-${pod} spec.rabbitmq.templates.mq.podOverride.services[${pod}]`,
    ),
  },
  {
    title: 'logging, in a namespace of its own',
    spec: { telemetry: { template: { logging: { enabled: true, annotations: {} } } } },
    services: ['openshift-logging/openstack-logging spec.telemetry.template.logging'],
  },
  {
    title: 'nothing of a section that is switched off',
    spec: { keystone: { enabled: false, template: internal } },
    services: [],
  },
  {
    title: 'nothing of a type that is no load balancer',
    spec: { dns: { template: { override: { service: { spec: { type: 'ClusterIP' } } } } } },
    services: [],
  },
]

test.each(cases)('asks for $title', (row) => expect(services(row.spec)).toEqual(row.services))

test('takes over what operators do, and no address', () => {
  const spec = { dns: { template: { override: { service: override({ ipFamilyPolicy: 'x' }) } } } }
  expect(decoded(spec).services).toMatchObject([
    {
      asksPool: 'internalapi',
      asksAddresses: '',
      spec: { type: 'LoadBalancer', ipFamilyPolicy: 'x' },
      ports: ['UDP/53', 'TCP/53'],
    },
  ])
})

test('knows behind which attachments operators take addresses', () => {
  const octavia = { enabled: true, template: { octaviaNetworkAttachment: 'amphora' } }
  const designate = { enabled: true }
  expect(decoded({ octavia, designate }).takers).toEqual({
    octavia: 'amphora',
    designate: 'designate',
  })
  expect(decoded({ octavia: { ...octavia, enabled: false } }).takers).toEqual({})
})

test.each([[null], ['text'], [[]], [{ keystone: [] }], [{ glance: { template: 7 } }]])(
  'a spec of %j asks for nothing',
  (spec) => expect(services({ ...(typeof spec === 'object' ? spec : {}) })).toEqual([]),
)
