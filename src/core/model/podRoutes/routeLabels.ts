// By which labels is it known whose route an FRRConfiguration is? As infra-operator writes them.

const prefix = 'bgpconfiguration.openstack.org/'

export const routeLabels = {
  name: `${prefix}name`,
  namespace: `${prefix}namespace`,
  uid: `${prefix}uid`,
  pod: `${prefix}pod-name`,
} as const

/** On a pod: an address that it has beside those of its networks. */
export const predictableLabel = 'predictableip'
/** Where OpenShift has frr-k8s since 4.20: if it is there, it counts. */
export const openshiftFrrNamespace = 'openshift-frr-k8s'
