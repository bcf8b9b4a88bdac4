// Which schemas do OpenStack's network kinds have? Their operator's bounds and defaults (O1, O2).
import type { Schema } from './schema.ts'
import { flag, listOf, mapOf, oneOf, open, text } from './schemaParts.ts'

const networkName: Schema = { type: 'string', pattern: '^[a-zA-Z0-9][a-zA-Z0-9\\-_]*[a-zA-Z0-9]$' }
const serviceNetwork: Schema = { type: 'string', pattern: '^[a-z0-9][a-z0-9\\-_]*[a-z0-9]$' }
const selectorValue: Schema = { ...text, default: 'dnsdata' }

const subnet = open(
  {
    name: networkName,
    cidr: text,
    dnsDomain: text,
    vlan: { type: 'integer', maximum: 4094 },
    allocationRanges: listOf(open({ start: text, end: text }, ['end', 'start'])),
    excludeAddresses: listOf(text),
    gateway: text,
    routes: listOf(open({ destination: text, nexthop: text }, ['destination', 'nexthop'])),
  },
  ['allocationRanges', 'cidr', 'name'],
)

/** dnsDomain is optional, so that manifests from before the field keep working. */
const netConfig = open(
  {
    networks: listOf(
      open(
        {
          name: networkName,
          dnsDomain: text,
          mtu: { type: 'integer', default: 1500 },
          serviceNetwork,
          subnets: listOf(subnet),
        },
        ['name', 'subnets'],
      ),
    ),
  },
  ['networks'],
)

const ipSet = open(
  {
    immutable: { ...flag, default: false },
    networks: listOf(
      open({ name: text, subnetName: text, fixedIP: text, defaultRoute: flag }, [
        'name',
        'subnetName',
      ]),
    ),
  },
  ['networks'],
)

const reservation = open(
  { ipSetRef: open({}), reservation: mapOf(open({ network: text, subnet: text, address: text })) },
  ['reservation'],
)

const dnsMasqOption = oneOf(
  'server',
  'rev-server',
  'srv-host',
  'txt-record',
  'ptr-record',
  'rebind-domain-ok',
  'naptr-record',
  'cname',
  'host-record',
  'caa-record',
  'dns-rr',
  'auth-zone',
  'synth-domain',
  'no-negcache',
  'local',
  'local-ttl',
  'dhcp-ttl',
  'max-ttl',
)

const dnsMasq = open({
  replicas: { type: 'integer', format: 'int32', default: 1 },
  options: listOf(open({ key: dnsMasqOption, values: listOf(text) }, ['key', 'values'])),
  dnsDataLabelSelectorValue: selectorValue,
  nodeSelector: mapOf(text),
})

const dnsData = open({
  hosts: listOf(open({ ip: text, hostnames: listOf(text) }, ['hostnames', 'ip'])),
  dnsDataLabelSelectorValue: selectorValue,
})

export const openstackSpecs = [
  { kind: 'NetConfig', spec: netConfig },
  { kind: 'IPSet', spec: ipSet },
  { kind: 'Reservation', spec: reservation },
  { kind: 'DNSMasq', spec: dnsMasq },
  { kind: 'DNSData', spec: dnsData },
] as const
