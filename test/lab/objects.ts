// Which objects does a test put into the lab? Services on the lab's pods, and pools of its own.
import type { Lab } from './namespaces.ts'

export type Written = { readonly path: string; readonly body: object }

export type ServiceOptions = {
  readonly name: string
  readonly address?: string
  readonly policy?: 'Local' | 'Cluster'
}

export const servicePath = (name: string): string => `/api/v1/namespaces/default/services/${name}`

export const service = ({ name, address, policy = 'Local' }: ServiceOptions): Written => ({
  path: servicePath(name),
  body: {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace: 'default',
      ...(address && { annotations: { 'metallb.io/loadBalancerIPs': address } }),
    },
    spec: {
      type: 'LoadBalancer',
      selector: { app: 'echo' },
      externalTrafficPolicy: policy,
      allocateLoadBalancerNodePorts: false,
      ports: [{ name: 'http', port: 80, targetPort: 8080 }],
    },
  },
})

const own = 'metallb-system'
const metallb = (plural: string, name: string): string =>
  `/apis/metallb.io/v1beta1/namespaces/${own}/${plural}/${name}`

export type PoolOptions = {
  readonly name: string
  readonly addresses: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly interfaces?: readonly string[]
}

/** With an advertisement of its own. */
export function pool({ name, addresses, annotations = {}, interfaces = ['eth0'] }: PoolOptions) {
  const object = (kind: string, plural: string, metadata: object, spec: object): Written => ({
    path: metallb(plural, name),
    body: { apiVersion: 'metallb.io/v1beta1', kind, metadata, spec },
  })
  const metadata = { name, namespace: own }
  return [
    object(
      'IPAddressPool',
      'ipaddresspools',
      { ...metadata, annotations },
      {
        addresses: [addresses],
        autoAssign: false,
      },
    ),
    object('L2Advertisement', 'l2advertisements', metadata, { ipAddressPools: [name], interfaces }),
  ]
}

export const apply = (lab: Lab, objects: readonly Written[]): void => {
  lab.ask('control', ['apply'], objects)
}
export const create = (lab: Lab, objects: readonly Written[]): void => {
  lab.ask('control', ['create'], objects)
}
export const remove = (lab: Lab, objects: readonly Written[]): void => {
  lab.ask(
    'control',
    ['remove'],
    objects.map(({ path }) => path),
  )
}
