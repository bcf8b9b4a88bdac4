// Under which group and version are kinds served that core itself makes or looks for? The table of
// kinds takes these from here.

type ApiGroup = { readonly group: string; readonly version: string }

export const apiGroups = {
  core: { group: '', version: 'v1' },
  berth: { group: 'berth.dev', version: 'v1alpha1' },
  metallb: { group: 'metallb.io', version: 'v1beta1' },
  metallbPeers: { group: 'metallb.io', version: 'v1beta2' },
  frrK8s: { group: 'frrk8s.metallb.io', version: 'v1beta1' },
  discovery: { group: 'discovery.k8s.io', version: 'v1' },
  cni: { group: 'k8s.cni.cncf.io', version: 'v1' },
  nmstate: { group: 'nmstate.io', version: 'v1' },
  nmstateRecords: { group: 'nmstate.io', version: 'v1beta1' },
  controlPlane: { group: 'core.openstack.org', version: 'v1beta1' },
  openstack: { group: 'network.openstack.org', version: 'v1beta1' },
  topology: { group: 'topology.openstack.org', version: 'v1beta1' },
  apps: { group: 'apps', version: 'v1' },
  rbac: { group: 'rbac.authorization.k8s.io', version: 'v1' },
  admission: { group: 'admissionregistration.k8s.io', version: 'v1' },
} as const satisfies Readonly<Record<string, ApiGroup>>

/** As an object states it. */
export const apiVersionOf = ({ group, version }: ApiGroup): string =>
  group === '' ? version : `${group}/${version}`
