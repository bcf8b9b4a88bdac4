// Does the account of the controller run pods as others, or edit what others have?
import type { Api } from '../../../src/edge/kube/api/client.ts'
import { resourceOf } from '../../../src/edge/kube/kinds.ts'
import { core, merge, verbs } from '../../kube/cluster.ts'
import { until } from '../../kube/waits.ts'
import { type Attempt, betaIsServed, isForbidden, servicesOf } from '../attempt.ts'
import { openstack } from '../hosts.ts'

const owner = {
  ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'DNSMasq', name: 'x', uid: 'invented' },
  controller: true,
}
const dryRun = { dryRun: 'All' }
const ownerReferences = [owner]
const labels = { app: 'x' }
const locked = {
  ...{ allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
}
const deployment = (pod: object, container: object = {}, name = 'dnsmasq-x') => ({
  metadata: { name, ownerReferences },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        serviceAccountName: name,
        containers: [{ name: 'a', image: 'a', securityContext: locked, ...container }],
        ...pod,
      },
    },
  },
})
const pods: readonly object[] = [
  deployment({ serviceAccountName: 'clusterrole-aggregation-controller' }),
  deployment({}, {}, 'another'),
  deployment({ hostNetwork: true }),
  deployment({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
  deployment({ volumes: [{ name: 'v', secret: { secretName: 's' } }] }),
  deployment({ volumes: [{ name: 'v', configMap: { name: 'c' } }] }),
  deployment({}, { securityContext: { ...locked, runAsNonRoot: false } }),
  deployment({}, { securityContext: { ...locked, capabilities: { add: ['NET_RAW'] } } }),
  deployment({}, { envFrom: [{ secretRef: { name: 's' } }] }),
  deployment({ initContainers: [{ name: 'b', image: 'b' }] }),
  deployment({}, { ports: [{ containerPort: 53, hostPort: 53 }] }),
  deployment({ securityContext: { seLinuxOptions: { type: 'spc_t' } } }),
  deployment({}, { securityContext: { ...locked, seLinuxOptions: { type: 'spc_t' } } }),
  { ...deployment({}), metadata: { name: 'dnsmasq-x' } },
]
const bound = (change: object) => ({
  metadata: { name: 'dnsmasq-x-rolebinding', ownerReferences },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'dnsmasq-x-role' },
  subjects: [{ kind: 'ServiceAccount', name: 'dnsmasq-x', namespace: 'kube-system' }],
  ...change,
})
const bindings: readonly object[] = [
  bound({ subjects: [{ kind: 'User', name: 'mallory', apiGroup: 'rbac.authorization.k8s.io' }] }),
  bound({ subjects: [{ kind: 'ServiceAccount', name: 'dnsmasq-x', namespace: 'beta' }] }),
  bound({ subjects: [{ kind: 'ServiceAccount', name: 'dnsmasq-y', namespace: 'kube-system' }] }),
  bound({ metadata: { name: 'another', ownerReferences } }),
  bound({ metadata: { name: 'dnsmasq-y-rolebinding', ownerReferences } }),
]
const role = (...rules: readonly object[]) => ({
  ...{ metadata: { name: 'dnsmasq-x-role', ownerReferences }, rules },
})
const readsMaps = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }
/** Of what the controller may do itself: Kubernetes lets it give that to an account that it makes. */
const handed: readonly object[] = [
  role(readsMaps, { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create'] }),
  role({ ...readsMaps, resources: ['serviceaccounts'] }),
  role({ ...readsMaps, resources: ['configmaps', 'services'] }),
  role({ ...readsMaps, verbs: ['get', 'patch'] }),
  role({ ...readsMaps, apiGroups: ['network.openstack.org'], resources: ['ipsets'] }),
]
const maps: readonly object[] = [
  { metadata: { name: 'coredns-custom', ownerReferences }, data: { 'a.server': 'x' } },
  { metadata: { name: 'x' }, data: { x: 'x' } },
]

/** With the rights for OpenStack, by which it makes DNS servers in every namespace. */
export const controllerElsewhere: Attempt = {
  name: 'The controller runs pods as other accounts, passes on its rights, and edits objects of others',
  holds: "the controller's account",
  mustHold: 'it is answered 403, and DNS servers are made and changed as before',
  before:
    'a pod of its choice ran as any account, or as one with the rights of the controller that no policy binds',
  engines: ['kubernetes'],
  needsPolicies: true,
  async run(stand) {
    const { controller, admin } = stand
    if (controller === undefined) throw new Error('there is no controller')
    const inSystem = (kind: 'Deployment' | 'ConfigMap') =>
      verbs(controller, resourceOf(kind, 'kube-system'))
    for (const body of pods) await isForbidden(inSystem('Deployment').create(body, dryRun))
    for (const body of maps) await isForbidden(inSystem('ConfigMap').create(body, dryRun))
    await rightsAreKept(controller, admin)

    const theirs = verbs(admin, core('configmaps', 'beta'))
    await theirs.create({ metadata: { name: 'theirs' }, data: { theirs: 'a' } })
    const edit = { type: merge, body: { data: { theirs: 'b' }, metadata: { ownerReferences } } }
    await isForbidden(verbs(controller, core('configmaps', 'beta')).patch('theirs', edit))
    await theirs.remove('theirs')
    const redirected = { type: merge, body: { spec: { selector: { app: 'mallory' } } } }
    await isForbidden(servicesOf(controller, 'beta').patch('victim', redirected))
    await betaIsServed(stand)
    await dnsIsServed(stand)
  },
}

/** Those of DNS servers; what it has not itself the API server refuses anyway. */
async function rightsAreKept(controller: Api, admin: Api): Promise<void> {
  const roles = verbs(admin, resourceOf('Role', 'kube-system'))
  const written = verbs(controller, resourceOf('Role', 'kube-system'))
  for (const body of handed) await isForbidden(written.create(body, dryRun))
  await written.create(role(readsMaps), dryRun)
  await roles.create(role(readsMaps))
  const given = verbs(controller, resourceOf('RoleBinding', 'kube-system'))
  for (const body of bindings) await isForbidden(given.create(body, dryRun))
  await given.create(bound({}), dryRun)
  await roles.remove('dnsmasq-x-role')
}

async function dnsIsServed({ admin }: Parameters<Attempt['run']>[0]): Promise<void> {
  const servers = verbs(admin, openstack('dnsmasqs', 'beta'))
  const config = (key: string, value: string) => ({ options: [{ key, values: [value] }] })
  await servers.create({
    ...{ apiVersion: owner.apiVersion, kind: 'DNSMasq', metadata: { name: 'dns' } },
    spec: config('max-ttl', '60'),
  })
  try {
    const configOf = async () =>
      (
        await verbs(admin, core('configmaps', 'beta'))
          .get('dns')
          .catch(() => undefined)
      )?.data
    await until('its options are there', async () => (await configOf())?.['dns'])
    const deployments = verbs(admin, resourceOf('Deployment', 'beta'))
    const first = await until('its pods are wanted', () =>
      deployments.get('dnsmasq-dns').catch(() => undefined),
    )
    await servers.patch('dns', { type: merge, body: { spec: config('max-ttl', '61') } })
    await until('other options are there', async () =>
      (await configOf())?.['dns']?.includes('max-ttl=61') === true ? true : undefined,
    )
    await until('other pods are wanted', async () => {
      const { metadata } = await deployments.get('dnsmasq-dns')
      return metadata.generation === first.metadata.generation ? undefined : true
    })
  } finally {
    await servers.remove('dns')
  }
}
