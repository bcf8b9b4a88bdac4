// Made from the types of k8s.io/api v0.36.3, by their protobuf and json tags; messages.ts reads it.
// What is sent of metadata, and of the kinds of other groups?
export const groupTables = `
BoundObjectReference: 1 kind, 2 apiVersion, 3 name, 4 uid
Condition: 1 type!, 2 status!, 3 observedGeneration int64, 4 lastTransitionTime Time, 5 reason!,
  6 message!
DeleteOptions: 1 gracePeriodSeconds? int64, 2 preconditions? Preconditions,
  3 orphanDependents? bool, 4 propagationPolicy?, 5 dryRun string[],
  6 ignoreStoreReadErrorWithClusterBreakingPotential? bool
Endpoint: 1 addresses string[], 2 conditions! EndpointConditions, 3 hostname?,
  4 targetRef? ObjectReference, 5 deprecatedTopology map<string>, 6 nodeName?, 7 zone?,
  8 hints? EndpointHints
EndpointConditions: 1 ready? bool, 2 serving? bool, 3 terminating? bool
EndpointHints: 1 forZones ForZone[], 2 forNodes ForNode[]
EndpointPort: 1 name?, 2 protocol?, 3 port? int32, 4 appProtocol?
EndpointSlice: 1 metadata! ObjectMeta, 2 endpoints Endpoint[], 3 ports EndpointPort[],
  4 addressType!
FieldSelectorAttributes: 1 rawSelector, 2 requirements FieldSelectorRequirement[]
FieldSelectorRequirement: 1 key!, 2 operator!, 3 values string[]
ForNode: 1 name!
ForZone: 1 name!
LabelSelector: 1 matchLabels map<string>, 2 matchExpressions LabelSelectorRequirement[]
LabelSelectorAttributes: 1 rawSelector, 2 requirements LabelSelectorRequirement[]
LabelSelectorRequirement: 1 key!, 2 operator!, 3 values string[]
Lease: 1 metadata! ObjectMeta, 2 spec! LeaseSpec
LeaseSpec: 1 holderIdentity?, 2 leaseDurationSeconds? int32, 3 acquireTime MicroTime,
  4 renewTime MicroTime, 5 leaseTransitions? int32, 6 strategy?, 7 preferredHolder?
ManagedFieldsEntry: 1 manager, 2 operation, 3 apiVersion, 4 time Time, 6 fieldsType,
  7 fieldsV1? FieldsV1, 8 subresource
NonResourceAttributes: 1 path, 2 verb
NonResourceRule: 1 verbs string[], 2 nonResourceURLs string[]
ObjectMeta: 1 name, 2 generateName, 3 namespace, 4 selfLink, 5 uid, 6 resourceVersion,
  7 generation int64, 8 creationTimestamp Time, 9 deletionTimestamp Time,
  10 deletionGracePeriodSeconds? int64, 11 labels map<string>, 12 annotations map<string>,
  13 ownerReferences OwnerReference[], 14 finalizers string[],
  17 managedFields ManagedFieldsEntry[]
OwnerReference: 1 kind!, 3 name!, 4 uid!, 5 apiVersion!, 6 controller? bool,
  7 blockOwnerDeletion? bool
Preconditions: 1 uid?, 2 resourceVersion?
ResourceAttributes: 1 namespace, 2 verb, 3 group, 4 version, 5 resource, 6 subresource, 7 name,
  8 fieldSelector? FieldSelectorAttributes, 9 labelSelector? LabelSelectorAttributes
ResourceRule: 1 verbs string[], 2 apiGroups string[], 3 resources string[],
  4 resourceNames string[]
SelfSubjectAccessReview: 1 metadata! ObjectMeta, 2 spec! SelfSubjectAccessReviewSpec,
  3 status! SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec: 1 resourceAttributes? ResourceAttributes,
  2 nonResourceAttributes? NonResourceAttributes
SelfSubjectReview: 1 metadata! ObjectMeta, 2 status! SelfSubjectReviewStatus
SelfSubjectReviewStatus: 1 userInfo! UserInfo
SelfSubjectRulesReview: 1 metadata! ObjectMeta, 2 spec! SelfSubjectRulesReviewSpec,
  3 status! SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec: 1 namespace
SubjectAccessReviewStatus: 1 allowed! bool, 2 reason, 3 evaluationError, 4 denied bool
SubjectRulesReviewStatus: 1 resourceRules ResourceRule[], 2 nonResourceRules NonResourceRule[],
  3 incomplete! bool, 4 evaluationError
TokenRequest: 1 metadata! ObjectMeta, 2 spec! TokenRequestSpec, 3 status! TokenRequestStatus
TokenRequestSpec: 1 audiences string[], 3 boundObjectRef? BoundObjectReference,
  4 expirationSeconds? int64
TokenRequestStatus: 1 token!, 2 expirationTimestamp Time
UserInfo: 1 username, 2 uid, 3 groups string[], 4 extra map<ExtraValue>
events.Event: 1 metadata! ObjectMeta, 2 eventTime MicroTime, 3 series? events.EventSeries,
  4 reportingController, 5 reportingInstance, 6 action, 7 reason, 8 regarding! ObjectReference,
  9 related? ObjectReference, 10 note, 11 type, 12 deprecatedSource! EventSource,
  13 deprecatedFirstTimestamp Time, 14 deprecatedLastTimestamp Time, 15 deprecatedCount int32
events.EventSeries: 1 count! int32, 2 lastObservedTime MicroTime
`
