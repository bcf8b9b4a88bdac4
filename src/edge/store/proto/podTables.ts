// Made from the types of k8s.io/api v0.36.3, by their protobuf and json tags; messages.ts reads it.
// What is sent of a Pod and of a Deployment?
export const podTables = `
Affinity: 1 nodeAffinity? NodeAffinity, 2 podAffinity? PodAffinity,
  3 podAntiAffinity? PodAntiAffinity
AppArmorProfile: 1 type!, 2 localhostProfile?
Capabilities: 1 add string[], 2 drop string[]
ConfigMapEnvSource: 1 ...LocalObjectReference, 2 optional? bool
ConfigMapKeySelector: 1 ...LocalObjectReference, 2 key!, 3 optional? bool
Container: 1 name!, 2 image, 3 command string[], 4 args string[], 5 workingDir,
  6 ports ContainerPort[], 7 env EnvVar[], 8 resources! ResourceRequirements,
  9 volumeMounts VolumeMount[], 10 livenessProbe? Probe, 11 readinessProbe? Probe,
  12 lifecycle? Lifecycle, 13 terminationMessagePath, 14 imagePullPolicy,
  15 securityContext? SecurityContext, 16 stdin bool, 17 stdinOnce bool, 18 tty bool,
  19 envFrom EnvFromSource[], 20 terminationMessagePolicy, 21 volumeDevices VolumeDevice[],
  22 startupProbe? Probe, 23 resizePolicy ContainerResizePolicy[], 24 restartPolicy?,
  25 restartPolicyRules ContainerRestartRule[]
ContainerExtendedResourceRequest: 1 containerName!, 2 resourceName!, 3 requestName!
ContainerPort: 1 name, 2 hostPort int32, 3 containerPort! int32, 4 protocol, 5 hostIP
ContainerResizePolicy: 1 resourceName!, 2 restartPolicy!
ContainerRestartRule: 1 action, 2 exitCodes? ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: 1 operator, 2 values int32[]
ContainerState: 1 waiting? ContainerStateWaiting, 2 running? ContainerStateRunning,
  3 terminated? ContainerStateTerminated
ContainerStateRunning: 1 startedAt Time
ContainerStateTerminated: 1 exitCode! int32, 2 signal int32, 3 reason, 4 message,
  5 startedAt Time, 6 finishedAt Time, 7 containerID
ContainerStateWaiting: 1 reason, 2 message
ContainerStatus: 1 name!, 2 state! ContainerState, 3 lastState! ContainerState, 4 ready! bool,
  5 restartCount! int32, 6 image!, 7 imageID!, 8 containerID, 9 started? bool,
  10 allocatedResources map<Quantity>, 11 resources? ResourceRequirements,
  12 volumeMounts VolumeMountStatus[], 13 user? ContainerUser,
  14 allocatedResourcesStatus ResourceStatus[], 15 stopSignal?
ContainerUser: 1 linux? LinuxContainerUser
Deployment: 1 metadata! ObjectMeta, 2 spec! DeploymentSpec, 3 status! DeploymentStatus
DeploymentCondition: 1 type!, 2 status!, 4 reason, 5 message, 6 lastUpdateTime Time,
  7 lastTransitionTime Time
DeploymentSpec: 1 replicas? int32, 2 selector? LabelSelector, 3 template! PodTemplateSpec,
  4 strategy! DeploymentStrategy, 5 minReadySeconds int32, 6 revisionHistoryLimit? int32,
  7 paused bool, 9 progressDeadlineSeconds? int32
DeploymentStatus: 1 observedGeneration int64, 2 replicas int32, 3 updatedReplicas int32,
  4 availableReplicas int32, 5 unavailableReplicas int32, 6 conditions DeploymentCondition[],
  7 readyReplicas int32, 8 collisionCount? int32, 9 terminatingReplicas? int32
DeploymentStrategy: 1 type, 2 rollingUpdate? RollingUpdateDeployment
EnvFromSource: 1 prefix, 2 configMapRef? ConfigMapEnvSource, 3 secretRef? SecretEnvSource
EnvVar: 1 name!, 2 value, 3 valueFrom? EnvVarSource
EnvVarSource: 1 fieldRef? ObjectFieldSelector, 2 resourceFieldRef? ResourceFieldSelector,
  3 configMapKeyRef? ConfigMapKeySelector, 4 secretKeyRef? SecretKeySelector,
  5 fileKeyRef? FileKeySelector
EphemeralContainer: 1 ...EphemeralContainerCommon, 2 targetContainerName
EphemeralContainerCommon: 1 name!, 2 image, 3 command string[], 4 args string[], 5 workingDir,
  6 ports ContainerPort[], 7 env EnvVar[], 8 resources! ResourceRequirements,
  9 volumeMounts VolumeMount[], 10 livenessProbe? Probe, 11 readinessProbe? Probe,
  12 lifecycle? Lifecycle, 13 terminationMessagePath, 14 imagePullPolicy,
  15 securityContext? SecurityContext, 16 stdin bool, 17 stdinOnce bool, 18 tty bool,
  19 envFrom EnvFromSource[], 20 terminationMessagePolicy, 21 volumeDevices VolumeDevice[],
  22 startupProbe? Probe, 23 resizePolicy ContainerResizePolicy[], 24 restartPolicy?,
  25 restartPolicyRules ContainerRestartRule[]
ExecAction: 1 command string[]
FileKeySelector: 1 volumeName!, 2 path!, 3 key!, 4 optional? bool
GRPCAction: 1 port! int32, 2 service?
HTTPGetAction: 1 path, 2 port! IntOrString, 3 host, 4 scheme, 5 httpHeaders HTTPHeader[]
HTTPHeader: 1 name!, 2 value!
HostAlias: 1 ip!, 2 hostnames string[]
HostIP: 1 ip!
ImageVolumeStatus: 1 imageRef
Lifecycle: 1 postStart? LifecycleHandler, 2 preStop? LifecycleHandler, 3 stopSignal?
LifecycleHandler: 1 exec? ExecAction, 2 httpGet? HTTPGetAction, 3 tcpSocket? TCPSocketAction,
  4 sleep? SleepAction
LinuxContainerUser: 1 uid! int64, 2 gid! int64, 3 supplementalGroups int64[]
NodeAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution? NodeSelector,
  2 preferredDuringSchedulingIgnoredDuringExecution PreferredSchedulingTerm[]
NodeAllocatableResourceClaimStatus: 1 resourceClaimName!, 2 containers string[],
  3 resources map<Quantity>
NodeSelector: 1 nodeSelectorTerms NodeSelectorTerm[]
NodeSelectorRequirement: 1 key!, 2 operator!, 3 values string[]
NodeSelectorTerm: 1 matchExpressions NodeSelectorRequirement[],
  2 matchFields NodeSelectorRequirement[]
Pod: 1 metadata! ObjectMeta, 2 spec! PodSpec, 3 status! PodStatus
PodAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[],
  2 preferredDuringSchedulingIgnoredDuringExecution WeightedPodAffinityTerm[]
PodAffinityTerm: 1 labelSelector? LabelSelector, 2 namespaces string[], 3 topologyKey!,
  4 namespaceSelector? LabelSelector, 5 matchLabelKeys string[], 6 mismatchLabelKeys string[]
PodAntiAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[],
  2 preferredDuringSchedulingIgnoredDuringExecution WeightedPodAffinityTerm[]
PodCondition: 1 type!, 2 status!, 3 lastProbeTime Time, 4 lastTransitionTime Time, 5 reason,
  6 message, 7 observedGeneration int64
PodDNSConfig: 1 nameservers string[], 2 searches string[], 3 options PodDNSConfigOption[]
PodDNSConfigOption: 1 name, 2 value?
PodExtendedResourceClaimStatus: 1 requestMappings ContainerExtendedResourceRequest[],
  2 resourceClaimName!
PodIP: 1 ip!
PodOS: 1 name!
PodReadinessGate: 1 conditionType!
PodResourceClaim: 1 name!, 3 resourceClaimName?, 4 resourceClaimTemplateName?
PodResourceClaimStatus: 1 name!, 2 resourceClaimName?
PodSchedulingGate: 1 name!
PodSchedulingGroup: 1 podGroupName?
PodSecurityContext: 1 seLinuxOptions? SELinuxOptions, 2 runAsUser? int64, 3 runAsNonRoot? bool,
  4 supplementalGroups int64[], 5 fsGroup? int64, 6 runAsGroup? int64, 7 sysctls Sysctl[],
  8 windowsOptions? WindowsSecurityContextOptions, 9 fsGroupChangePolicy?,
  10 seccompProfile? SeccompProfile, 11 appArmorProfile? AppArmorProfile,
  12 supplementalGroupsPolicy?, 13 seLinuxChangePolicy?
PodSpec: 1 volumes Volume[], 2 containers Container[], 3 restartPolicy,
  4 terminationGracePeriodSeconds? int64, 5 activeDeadlineSeconds? int64, 6 dnsPolicy,
  7 nodeSelector map<string>, 8 serviceAccountName, 9 serviceAccount, 10 nodeName,
  11 hostNetwork bool, 12 hostPID bool, 13 hostIPC bool, 14 securityContext? PodSecurityContext,
  15 imagePullSecrets LocalObjectReference[], 16 hostname, 17 subdomain, 18 affinity? Affinity,
  19 schedulerName, 20 initContainers Container[], 21 automountServiceAccountToken? bool,
  22 tolerations Toleration[], 23 hostAliases HostAlias[], 24 priorityClassName,
  25 priority? int32, 26 dnsConfig? PodDNSConfig, 27 shareProcessNamespace? bool,
  28 readinessGates PodReadinessGate[], 29 runtimeClassName?, 30 enableServiceLinks? bool,
  31 preemptionPolicy?, 32 overhead map<Quantity>,
  33 topologySpreadConstraints TopologySpreadConstraint[],
  34 ephemeralContainers EphemeralContainer[], 35 setHostnameAsFQDN? bool, 36 os? PodOS,
  37 hostUsers? bool, 38 schedulingGates PodSchedulingGate[],
  39 resourceClaims PodResourceClaim[], 40 resources? ResourceRequirements, 41 hostnameOverride?,
  43 schedulingGroup? PodSchedulingGroup
PodStatus: 1 phase, 2 conditions PodCondition[], 3 message, 4 reason, 5 hostIP, 6 podIP,
  7 startTime Time, 8 containerStatuses ContainerStatus[], 9 qosClass,
  10 initContainerStatuses ContainerStatus[], 11 nominatedNodeName, 12 podIPs PodIP[],
  13 ephemeralContainerStatuses ContainerStatus[], 14 resize,
  15 resourceClaimStatuses PodResourceClaimStatus[], 16 hostIPs HostIP[],
  17 observedGeneration int64, 18 extendedResourceClaimStatus? PodExtendedResourceClaimStatus,
  19 allocatedResources map<Quantity>, 20 resources? ResourceRequirements,
  21 nodeAllocatableResourceClaimStatuses NodeAllocatableResourceClaimStatus[]
PreferredSchedulingTerm: 1 weight! int32, 2 preference! NodeSelectorTerm
Probe: 1 ...ProbeHandler, 2 initialDelaySeconds int32, 3 timeoutSeconds int32,
  4 periodSeconds int32, 5 successThreshold int32, 6 failureThreshold int32,
  7 terminationGracePeriodSeconds? int64
ProbeHandler: 1 exec? ExecAction, 2 httpGet? HTTPGetAction, 3 tcpSocket? TCPSocketAction,
  4 grpc? GRPCAction
ResourceClaim: 1 name!, 2 request
ResourceHealth: 1 resourceID!, 2 health, 6 message?
ResourceRequirements: 1 limits map<Quantity>, 2 requests map<Quantity>, 3 claims ResourceClaim[]
ResourceStatus: 1 name!, 2 resources ResourceHealth[]
RollingUpdateDeployment: 1 maxUnavailable? IntOrString, 2 maxSurge? IntOrString
SELinuxOptions: 1 user, 2 role, 3 type, 4 level
SeccompProfile: 1 type!, 2 localhostProfile?
SecretEnvSource: 1 ...LocalObjectReference, 2 optional? bool
SecretKeySelector: 1 ...LocalObjectReference, 2 key!, 3 optional? bool
SecurityContext: 1 capabilities? Capabilities, 2 privileged? bool,
  3 seLinuxOptions? SELinuxOptions, 4 runAsUser? int64, 5 runAsNonRoot? bool,
  6 readOnlyRootFilesystem? bool, 7 allowPrivilegeEscalation? bool, 8 runAsGroup? int64,
  9 procMount?, 10 windowsOptions? WindowsSecurityContextOptions,
  11 seccompProfile? SeccompProfile, 12 appArmorProfile? AppArmorProfile
SleepAction: 1 seconds! int64
Sysctl: 1 name!, 2 value!
TCPSocketAction: 1 port! IntOrString, 2 host
Toleration: 1 key, 2 operator, 3 value, 4 effect, 5 tolerationSeconds? int64
TopologySpreadConstraint: 1 maxSkew! int32, 2 topologyKey!, 3 whenUnsatisfiable!,
  4 labelSelector? LabelSelector, 5 minDomains? int32, 6 nodeAffinityPolicy?, 7 nodeTaintsPolicy?,
  8 matchLabelKeys string[]
VolumeDevice: 1 name!, 2 devicePath!
VolumeMount: 1 name!, 2 readOnly bool, 3 mountPath!, 4 subPath, 5 mountPropagation?,
  6 subPathExpr, 7 recursiveReadOnly?
VolumeMountStatus: 1 name!, 2 mountPath!, 3 readOnly bool, 4 recursiveReadOnly?,
  5 volumeStatus? VolumeStatus
VolumeStatus: 1 image? ImageVolumeStatus
WeightedPodAffinityTerm: 1 weight! int32, 2 podAffinityTerm! PodAffinityTerm
WindowsSecurityContextOptions: 1 gmsaCredentialSpecName?, 2 gmsaCredentialSpec?, 3 runAsUserName?,
  4 hostProcess? bool
`
