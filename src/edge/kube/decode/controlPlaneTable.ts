// Where does an OpenStackControlPlane say how a Service looks, and how is that Service called? One
// row for each place that the CRD has; a test walks the CRD and finds no other.

/**
 * - endpoints: a Service for each endpoint, internal and public
 * - one: a single Service
 * - each: a list with a Service for each pod
 */
type Shape = 'endpoints' | 'one' | 'each'

export type ServiceOverride = {
  /** Under spec; a star stands for every key of a map. */
  readonly path: string
  readonly shape: Shape
  /** A star stands for the key, and `db` for what the database is for. */
  readonly name: string
  readonly ports: readonly string[]
}

const endpoints = (path: string, name: string, port: number): ServiceOverride => ({
  path: `${path}.override.service`,
  shape: 'endpoints',
  name,
  ports: [`TCP/${port}`],
})
const one = (path: string, name: string, ...ports: readonly string[]): ServiceOverride => ({
  path: `${path}.override.service`,
  shape: 'one',
  name,
  ports,
})
const each = (path: string, name: string, ...ports: readonly string[]): ServiceOverride => ({
  path,
  shape: 'each',
  name,
  ports,
})

const dns = ['UDP/53', 'TCP/53'] as const
const cells = 'nova.template.cellTemplates.*'

export const places: readonly ServiceOverride[] = [
  endpoints('barbican.template.barbicanAPI', 'barbican', 9311),
  endpoints('cinder.template.cinderAPI', 'cinder', 8776),
  endpoints('designate.template.designateAPI', 'designate', 9001),
  each(
    'designate.template.designateBackendbind9.override.services',
    'designate-backendbind9',
    ...dns,
  ),
  each('designate.template.designateMdns.override.services', 'designate-mdns', 'TCP/5354'),
  each('designate.template.designateUnbound.override.services', 'designate-unbound', ...dns),
  one('dns.template', 'dnsmasq-dns', ...dns),
  endpoints('glance.template.glanceAPIs.*', 'glance-*', 9292),
  endpoints('heat.template.heatAPI', 'heat-api', 8004),
  endpoints('heat.template.heatCfnAPI', 'heat-cfnapi', 8000),
  one('horizon.template', 'horizon', 'TCP/443'),
  endpoints('ironic.template.ironicAPI', 'ironic', 6385),
  endpoints('ironic.template.ironicInspector', 'ironic-inspector', 5050),
  endpoints('keystone.template', 'keystone', 5000),
  endpoints('manila.template.manilaAPI', 'manila', 8786),
  endpoints('neutron.template', 'neutron', 9696),
  endpoints('nova.template.apiServiceTemplate', 'nova', 8774),
  one('nova.template.metadataServiceTemplate', 'nova-metadata-internal', 'TCP/8775'),
  one(`${cells}.metadataServiceTemplate`, 'nova-metadata-*-internal', 'TCP/8775'),
  one(`${cells}.noVNCProxyServiceTemplate`, 'nova-novncproxy-*-public', 'TCP/6080'),
  endpoints('octavia.template.octaviaAPI', 'octavia', 9876),
  one('ovn.template.ovnDBCluster.*', 'ovsdbserver-db', 'TCP/6641', 'TCP/6642'),
  endpoints('placement.template', 'placement', 8778),
  one('rabbitmq.templates.*', '*', 'TCP/5671', 'TCP/15671', 'TCP/15691'),
  each('rabbitmq.templates.*.podOverride.services', '*-server', 'TCP/5672', 'TCP/5671'),
  endpoints('swift.template.swiftProxy', 'swift', 8080),
  endpoints('telemetry.template.autoscaling.aodh', 'aodh', 8042),
  endpoints('telemetry.template.cloudkitty.cloudKittyAPI', 'cloudkitty', 8889),
  endpoints('watcher.template.apiServiceTemplate', 'watcher', 9322),
]
