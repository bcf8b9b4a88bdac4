// Which kinds does Berth only write, or look up by name? Nothing is decided from their objects.
import { apiGroups } from '../../core/model/apiGroups.ts'

const { core, berth, apps, rbac } = apiGroups
const metallb = { ...apiGroups.metallb, scope: 'ours' } as const
const leases = { group: 'coordination.k8s.io', version: 'v1', scope: 'namespaced' } as const
const monitoring = { group: 'monitoring.coreos.com', version: 'v1', scope: 'namespaced' } as const
const hooks = { ...apiGroups.admission, scope: 'cluster' } as const

export const namedKinds = [
  { ...metallb, kind: 'ServiceL2Status', plural: 'servicel2statuses' },
  { ...metallb, kind: 'ServiceBGPStatus', plural: 'servicebgpstatuses' },
  { ...metallb, kind: 'ConfigurationState', plural: 'configurationstates' },
  // Read where frr-k8s has the sessions.
  {
    ...apiGroups.frrK8s,
    kind: 'BGPSessionState',
    plural: 'bgpsessionstates',
    scope: 'namespaced',
  },
  { ...apiGroups.frrK8s, kind: 'FRRNodeState', plural: 'frrnodestates', scope: 'cluster' },
  { ...berth, kind: 'Scenario', plural: 'scenarios', scope: 'cluster' },
  { ...core, kind: 'Event', plural: 'events', scope: 'namespaced' },
  { ...core, kind: 'ServiceAccount', plural: 'serviceaccounts', scope: 'namespaced' },
  { ...apps, kind: 'DaemonSet', plural: 'daemonsets', scope: 'namespaced' },
  { ...apps, kind: 'StatefulSet', plural: 'statefulsets', scope: 'namespaced' },
  { ...rbac, kind: 'Role', plural: 'roles', scope: 'namespaced' },
  { ...rbac, kind: 'RoleBinding', plural: 'rolebindings', scope: 'namespaced' },
  { ...rbac, kind: 'ClusterRole', plural: 'clusterroles', scope: 'cluster' },
  { ...rbac, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings', scope: 'cluster' },
  {
    kind: 'PodDisruptionBudget',
    group: 'policy',
    version: 'v1',
    plural: 'poddisruptionbudgets',
    scope: 'namespaced',
  },
  {
    kind: 'NetworkPolicy',
    group: 'networking.k8s.io',
    version: 'v1',
    plural: 'networkpolicies',
    scope: 'namespaced',
  },
  // Of the Prometheus operator: what scrapes MetalLB goes with it.
  { ...monitoring, kind: 'PodMonitor', plural: 'podmonitors' },
  { ...monitoring, kind: 'ServiceMonitor', plural: 'servicemonitors' },
  { ...monitoring, kind: 'PrometheusRule', plural: 'prometheusrules' },
  // Of OpenShift: where an endpoint is reached from outside.
  {
    kind: 'Route',
    group: 'route.openshift.io',
    version: 'v1',
    plural: 'routes',
    scope: 'namespaced',
  },
  { ...leases, kind: 'Lease', plural: 'leases' },
  {
    kind: 'CustomResourceDefinition',
    group: 'apiextensions.k8s.io',
    version: 'v1',
    plural: 'customresourcedefinitions',
    scope: 'cluster',
  },
  { ...hooks, kind: 'ValidatingWebhookConfiguration', plural: 'validatingwebhookconfigurations' },
  { ...hooks, kind: 'MutatingWebhookConfiguration', plural: 'mutatingwebhookconfigurations' },
  { ...hooks, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' },
  {
    ...hooks,
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
  },
] as const
