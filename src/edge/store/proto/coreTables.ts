// Made from the types of k8s.io/api v0.36.3, by their protobuf and json tags; messages.ts reads it.
// What is sent of the other kinds of the core group?
export const coreTables = `
AttachedVolume: 1 name!, 2 devicePath!
ClientIPConfig: 1 timeoutSeconds? int32
ConfigMap: 1 metadata! ObjectMeta, 2 data map<string>, 3 binaryData map<bytes>, 4 immutable? bool
ConfigMapNodeConfigSource: 1 namespace!, 2 name!, 3 uid, 4 resourceVersion, 5 kubeletConfigKey!
ContainerImage: 1 names string[], 2 sizeBytes int64
DaemonEndpoint: 1 Port! int32
Event: 1 metadata! ObjectMeta, 2 involvedObject! ObjectReference, 3 reason, 4 message,
  5 source! EventSource, 6 firstTimestamp Time, 7 lastTimestamp Time, 8 count int32, 9 type,
  10 eventTime MicroTime, 11 series? EventSeries, 12 action, 13 related? ObjectReference,
  14 reportingComponent!, 15 reportingInstance!
EventSeries: 1 count int32, 2 lastObservedTime MicroTime
EventSource: 1 component, 2 host
LoadBalancerIngress: 1 ip, 2 hostname, 3 ipMode?, 4 ports PortStatus[]
LoadBalancerStatus: 1 ingress LoadBalancerIngress[]
Namespace: 1 metadata! ObjectMeta, 2 spec! NamespaceSpec, 3 status! NamespaceStatus
NamespaceCondition: 1 type!, 2 status!, 4 lastTransitionTime Time, 5 reason, 6 message
NamespaceSpec: 1 finalizers string[]
NamespaceStatus: 1 phase, 2 conditions NamespaceCondition[]
Node: 1 metadata! ObjectMeta, 2 spec! NodeSpec, 3 status! NodeStatus
NodeAddress: 1 type!, 2 address!
NodeCondition: 1 type!, 2 status!, 3 lastHeartbeatTime Time, 4 lastTransitionTime Time, 5 reason,
  6 message
NodeConfigSource: 2 configMap? ConfigMapNodeConfigSource
NodeConfigStatus: 1 assigned? NodeConfigSource, 2 active? NodeConfigSource,
  3 lastKnownGood? NodeConfigSource, 4 error
NodeDaemonEndpoints: 1 kubeletEndpoint! DaemonEndpoint
NodeFeatures: 1 supplementalGroupsPolicy? bool
NodeRuntimeHandler: 1 name!, 2 features? NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures: 1 recursiveReadOnlyMounts? bool, 2 userNamespaces? bool
NodeSpec: 1 podCIDR, 2 externalID, 3 providerID, 4 unschedulable bool, 5 taints Taint[],
  6 configSource? NodeConfigSource, 7 podCIDRs string[]
NodeStatus: 1 capacity map<Quantity>, 2 allocatable map<Quantity>, 3 phase,
  4 conditions NodeCondition[], 5 addresses NodeAddress[], 6 daemonEndpoints! NodeDaemonEndpoints,
  7 nodeInfo! NodeSystemInfo, 8 images ContainerImage[], 9 volumesInUse string[],
  10 volumesAttached AttachedVolume[], 11 config? NodeConfigStatus,
  12 runtimeHandlers NodeRuntimeHandler[], 13 features? NodeFeatures, 14 declaredFeatures string[]
NodeSwapStatus: 1 capacity? int64
NodeSystemInfo: 1 machineID!, 2 systemUUID!, 3 bootID!, 4 kernelVersion!, 5 osImage!,
  6 containerRuntimeVersion!, 7 kubeletVersion!, 8 kubeProxyVersion!, 9 operatingSystem!,
  10 architecture!, 11 swap? NodeSwapStatus
ObjectReference: 1 kind, 2 namespace, 3 name, 4 uid, 5 apiVersion, 6 resourceVersion, 7 fieldPath
PodTemplateSpec: 1 metadata! ObjectMeta, 2 spec! PodSpec
PortStatus: 1 port! int32, 2 protocol!, 3 error?
Secret: 1 metadata! ObjectMeta, 2 data map<bytes>, 3 type, 4 stringData map<string>,
  5 immutable? bool
Service: 1 metadata! ObjectMeta, 2 spec! ServiceSpec, 3 status! ServiceStatus
ServiceAccount: 1 metadata! ObjectMeta, 2 secrets ObjectReference[],
  3 imagePullSecrets LocalObjectReference[], 4 automountServiceAccountToken? bool
ServicePort: 1 name, 2 protocol, 3 port! int32, 4 targetPort! IntOrString, 5 nodePort int32,
  6 appProtocol?
ServiceSpec: 1 ports ServicePort[], 2 selector map<string>, 3 clusterIP, 4 type,
  5 externalIPs string[], 7 sessionAffinity, 8 loadBalancerIP,
  9 loadBalancerSourceRanges string[], 10 externalName, 11 externalTrafficPolicy,
  12 healthCheckNodePort int32, 13 publishNotReadyAddresses bool,
  14 sessionAffinityConfig? SessionAffinityConfig, 17 ipFamilyPolicy?, 18 clusterIPs string[],
  19 ipFamilies string[], 20 allocateLoadBalancerNodePorts? bool, 21 loadBalancerClass?,
  22 internalTrafficPolicy?, 23 trafficDistribution?
ServiceStatus: 1 loadBalancer! LoadBalancerStatus, 2 conditions Condition[]
SessionAffinityConfig: 1 clientIP? ClientIPConfig
Taint: 1 key!, 2 value, 3 effect!, 4 timeAdded Time
`
