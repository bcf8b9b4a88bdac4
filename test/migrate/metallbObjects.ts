// What do MetalLB's manifests install? Its workloads with their labels, ports, variables and volumes
// (M7.5), with stand-ins for its images.

const labelsOf = (component: string) => ({ app: 'metallb', component })
const namespace = 'metallb-system'
const field = (name: string, fieldPath: string) => ({
  name,
  valueFrom: { fieldRef: { fieldPath } },
})
const probe = (host: object) => ({
  httpGet: { ...host, path: '/readyz', port: 17472 },
  periodSeconds: 1,
})

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'controller', namespace, labels: labelsOf('controller') },
  spec: {
    selector: { matchLabels: labelsOf('controller') },
    template: {
      metadata: { labels: labelsOf('controller') },
      spec: {
        serviceAccountName: 'controller',
        terminationGracePeriodSeconds: 0,
        containers: [
          { name: 'controller', image: 'metallb/controller', readinessProbe: probe({}) },
        ],
      },
    },
  },
}

const daemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'speaker', namespace, labels: labelsOf('speaker') },
  spec: {
    selector: { matchLabels: labelsOf('speaker') },
    template: {
      metadata: { labels: labelsOf('speaker') },
      spec: {
        serviceAccountName: 'speaker',
        hostNetwork: true,
        terminationGracePeriodSeconds: 2,
        containers: [
          {
            name: 'speaker',
            image: 'metallb/speaker',
            env: [
              field('METALLB_NODE_NAME', 'spec.nodeName'),
              field('METALLB_ML_BIND_ADDR', 'status.podIP'),
              { name: 'METALLB_ML_LABELS', value: 'app=metallb,component=speaker' },
              { name: 'METALLB_ML_SECRET_KEY_PATH', value: '/etc/ml_secret_key' },
            ],
            ports: [
              { name: 'metricshttps', containerPort: 9120 },
              { name: 'memberlist-tcp', containerPort: 7946 },
              { name: 'memberlist-udp', containerPort: 7946, protocol: 'UDP' },
            ],
            readinessProbe: probe({ host: '127.0.0.1' }),
            volumeMounts: [{ name: 'memberlist', mountPath: '/etc/ml_secret_key', readOnly: true }],
          },
        ],
        volumes: [{ name: 'memberlist', secret: { secretName: 'memberlist' } }],
      },
    },
  },
}

const webhooks = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'metallb-webhook-configuration' },
  webhooks: [
    {
      name: 'bgppeersvalidationwebhook.metallb.io',
      clientConfig: { service: { name: 'metallb-webhook-service', namespace } },
      rules: [
        {
          apiGroups: ['metallb.io'],
          apiVersions: ['v1beta2'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['bgppeers'],
        },
      ],
      failurePolicy: 'Ignore',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
}

const account = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace, labels: { app: 'metallb' } },
})
const rights = (name: string): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: `metallb-system:${name}`, labels: { app: 'metallb' } },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'ServiceAccount', name, namespace }],
})

export const memberlistSecret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'memberlist', namespace },
  stringData: { secretkey: 'x' },
}

/** In the order in which they can be created; definitions and the namespace aside. */
export const metallbObjects: readonly object[] = [
  ...['controller', 'speaker'].flatMap((name) => [account(name), rights(name)]),
  memberlistSecret,
  deployment,
  daemonSet,
  webhooks,
]

export const configuration: readonly object[] = [
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: 'lan', namespace },
    spec: { addresses: ['10.10.100.1-10.10.100.250'] },
  },
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'L2Advertisement',
    metadata: { name: 'lan', namespace },
    spec: { interfaces: ['eth0'] },
  },
]

/** With an endpoint, so that it is announced. */
export const service = (name: string): readonly object[] => [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default' },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace: 'default', labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.0.11'], conditions: { ready: true } }],
    ports: [{ port: 80 }],
  },
]
