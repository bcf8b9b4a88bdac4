// How are Services written: what is refused, given, and kept when they change?
import { type Json, patch, post, put, remove, type Step } from './recordedSteps.ts'

const services = '/api/v1/namespaces/NS/services'
const service = (name: string, spec: Json): Step => post(services, { metadata: { name }, spec })
const port80 = [{ port: 80 }]

export const serviceChecks: readonly Step[] = [
  service('x', {
    type: 'LoadBalancer',
    ports: port80,
    externalIPs: ['010.0.0.1', '::ffff:1.2.3.4', '1.2.3', 'fe80::1', '127.0.0.1', '0.0.0.0'],
    loadBalancerSourceRanges: ['10.0.0.0/8', 'x', ' 010.0.0.0/8', '10.0.0.1/8'],
  }),
  service('x', { type: 'Foo', ports: port80 }),
  service('x', { ipFamilies: ['IPv5'], ipFamilyPolicy: 'Foo', ports: port80 }),
  service('x', {
    sessionAffinity: 'Bar',
    ports: [
      { port: 0, name: 'A', protocol: 'ICMP' },
      { port: 80, targetPort: 'UPPER', nodePort: 1 },
      { name: 'a', port: 80, targetPort: 70000 },
      { name: 'a', port: 80 },
    ],
    externalTrafficPolicy: 'Cluster',
    internalTrafficPolicy: 'y',
    trafficDistribution: 'z',
    loadBalancerClass: 'a b',
    healthCheckNodePort: 5,
    allocateLoadBalancerNodePorts: true,
    selector: { 'a b': 'c d' },
  }),
  service('x', { type: 'LoadBalancer', ports: port80, loadBalancerClass: 'a b' }),
  service('x', { type: 'NodePort', ports: [{ port: 80, nodePort: 99 }] }),
  service('x', {
    type: 'NodePort',
    ports: [
      { name: 'a', port: 80, nodePort: 30007 },
      { name: 'b', port: 81, nodePort: 30007 },
    ],
  }),
  service('x', { type: 'ExternalName', clusterIP: '10.96.0.5', ipFamilies: ['IPv4'] }),
  service('x', { clusterIP: '10.96.0.1', ports: port80 }),
  service('x', { clusterIP: '192.0.2.1', ports: port80 }),
  service('x', { clusterIP: 'foo', ports: port80 }),
  service('x', { clusterIP: 'None', type: 'LoadBalancer', ports: port80 }),
  service('x', { clusterIPs: ['10.96.0.7'], ports: port80 }),
  service('x', { clusterIPs: ['10.96.0.7', '10.96.0.8'], clusterIP: '10.96.0.7', ports: port80 }),
  service('x', { clusterIPs: ['None', '10.96.0.8'], clusterIP: 'None', ports: port80 }),
  service('x', { ipFamilies: ['IPv6', 'IPv4'], ports: port80 }),
  service('x', { ipFamilies: ['IPv6'], clusterIP: '10.96.0.7', ports: port80 }),
  service('x', {}),
  service('a.b', { ports: port80 }),
  service('x', {
    ports: port80,
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
  }),
]

export const serviceKinds: readonly Step[] = [
  service('1x', { ports: port80 }),
  service('h1', { clusterIP: 'None' }),
  service('h2', { clusterIP: 'None', selector: { a: 'b' }, ports: port80 }),
  service('h3', { clusterIP: 'None', ipFamilyPolicy: 'SingleStack' }),
  service('np', {
    type: 'NodePort',
    ports: [
      { port: 53, name: 'a' },
      { port: 53, name: 'b', protocol: 'UDP' },
    ],
  }),
  service('np2', {
    type: 'NodePort',
    ports: [
      { port: 53, name: 'a' },
      { port: 53, name: 'b', protocol: 'UDP', nodePort: 30098 },
    ],
  }),
  service('lb', {
    type: 'LoadBalancer',
    ports: port80,
    allocateLoadBalancerNodePorts: false,
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 30124,
    publishNotReadyAddresses: false,
    selector: {},
  }),
  service('ext', { ports: port80, externalIPs: ['192.0.2.9'] }),
  service('warn', {
    type: 'LoadBalancer',
    ports: port80,
    loadBalancerIP: '2001:DB8::1',
    trafficDistribution: 'PreferClose',
    externalName: 'x',
  }),
  put(`${services}/made`, { metadata: { name: 'made' }, spec: { ports: port80 } }),
]

const again = (spec: Json): Step => put(`${services}/x`, { metadata: { name: 'x' }, spec })
const time = '2026-01-02T03:04:05Z'
const condition = {
  type: 'a/b',
  status: 'True',
  reason: 'R',
  message: '',
  lastTransitionTime: time,
}
const status = (body: Json): Step => patch(`${services}/x/status`, body, 'strategic')

export const serviceChanges: readonly Step[] = [
  service('x', {
    type: 'LoadBalancer',
    loadBalancerClass: 'foo',
    ipFamilyPolicy: 'PreferDualStack',
    ports: port80,
    externalTrafficPolicy: 'Local',
    sessionAffinity: 'ClientIP',
  }),
  status({
    metadata: { annotations: { a: 'b' } },
    spec: { selector: { q: 'z' } },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] }, conditions: [condition] },
  }),
  status({
    status: {
      loadBalancer: {
        ingress: [
          { ip: 'x' },
          { hostname: '1.2.3.4', ipMode: 'VIP' },
          { ip: '1.2.3.4', ipMode: 'F' },
        ],
      },
    },
  }),
  status({ metadata: { uid: 'other' }, status: { loadBalancer: { ingress: null } } }),
  status({ metadata: { annotations: { a: null } }, status: { loadBalancer: { ingress: null } } }),
  status({ status: { conditions: [{ type: 'a/b', $patch: 'delete' }] } }),
  again({ type: 'LoadBalancer', loadBalancerClass: 'bar', ports: port80 }),
  again({
    type: 'LoadBalancer',
    loadBalancerClass: 'foo',
    ports: [...port80, { name: 'b', port: 81 }],
  }),
  again({
    type: 'LoadBalancer',
    loadBalancerClass: 'foo',
    ports: port80,
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 30555,
  }),
  again({ ports: port80 }),
  status({ status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } }),
  again({ clusterIP: '10.96.0.9', ports: port80 }),
  again({ ipFamilyPolicy: 'SingleStack', clusterIP: '10.96.0.9', ports: port80 }),
  again({ clusterIP: 'None', ports: port80 }),
  again({ type: 'NodePort', ipFamilyPolicy: 'SingleStack', ports: port80 }),
  again({ type: 'NodePort', ipFamilyPolicy: 'RequireDualStack', ports: port80 }),
  again({ type: 'ExternalName', externalName: 'a.b.' }),
  again({ ports: port80 }),
  patch(`${services}/x`, { spec: { ports: [{ port: 81, name: 'q' }] } }, 'strategic'),
  remove(`${services}/x`),
  remove(`${services}/x`),
]
