// Made from the types of k8s.io/api v0.36.3, by their protobuf and json tags; messages.ts reads it.
// What may a Pod mount?
export const volumeTables = `
AWSElasticBlockStoreVolumeSource: 1 volumeID!, 2 fsType, 3 partition int32, 4 readOnly bool
AzureDiskVolumeSource: 1 diskName!, 2 diskURI!, 3 cachingMode?, 4 fsType?, 5 readOnly? bool,
  6 kind?
AzureFileVolumeSource: 1 secretName!, 2 shareName!, 3 readOnly bool
CSIVolumeSource: 1 driver!, 2 readOnly? bool, 3 fsType?, 4 volumeAttributes map<string>,
  5 nodePublishSecretRef? LocalObjectReference
CephFSVolumeSource: 1 monitors string[], 2 path, 3 user, 4 secretFile,
  5 secretRef? LocalObjectReference, 6 readOnly bool
CinderVolumeSource: 1 volumeID!, 2 fsType, 3 readOnly bool, 4 secretRef? LocalObjectReference
ClusterTrustBundleProjection: 1 name?, 2 signerName?, 3 labelSelector? LabelSelector, 4 path!,
  5 optional? bool
ConfigMapProjection: 1 ...LocalObjectReference, 2 items KeyToPath[], 4 optional? bool
ConfigMapVolumeSource: 1 ...LocalObjectReference, 2 items KeyToPath[], 3 defaultMode? int32,
  4 optional? bool
DownwardAPIProjection: 1 items DownwardAPIVolumeFile[]
DownwardAPIVolumeFile: 1 path!, 2 fieldRef? ObjectFieldSelector,
  3 resourceFieldRef? ResourceFieldSelector, 4 mode? int32
DownwardAPIVolumeSource: 1 items DownwardAPIVolumeFile[], 2 defaultMode? int32
EmptyDirVolumeSource: 1 medium, 2 sizeLimit? Quantity
EphemeralVolumeSource: 1 volumeClaimTemplate? PersistentVolumeClaimTemplate
FCVolumeSource: 1 targetWWNs string[], 2 lun? int32, 3 fsType, 4 readOnly bool, 5 wwids string[]
FlexVolumeSource: 1 driver!, 2 fsType, 3 secretRef? LocalObjectReference, 4 readOnly bool,
  5 options map<string>
FlockerVolumeSource: 1 datasetName, 2 datasetUUID
GCEPersistentDiskVolumeSource: 1 pdName!, 2 fsType, 3 partition int32, 4 readOnly bool
GitRepoVolumeSource: 1 repository!, 2 revision, 3 directory
GlusterfsVolumeSource: 1 endpoints!, 2 path!, 3 readOnly bool
HostPathVolumeSource: 1 path!, 2 type?
ISCSIVolumeSource: 1 targetPortal!, 2 iqn!, 3 lun! int32, 4 iscsiInterface, 5 fsType,
  6 readOnly bool, 7 portals string[], 8 chapAuthDiscovery bool,
  10 secretRef? LocalObjectReference, 11 chapAuthSession bool, 12 initiatorName?
ImageVolumeSource: 1 reference, 2 pullPolicy
KeyToPath: 1 key!, 2 path!, 3 mode? int32
LocalObjectReference: 1 name
NFSVolumeSource: 1 server!, 2 path!, 3 readOnly bool
ObjectFieldSelector: 1 apiVersion, 2 fieldPath!
PersistentVolumeClaimSpec: 1 accessModes string[], 2 resources! VolumeResourceRequirements,
  3 volumeName, 4 selector? LabelSelector, 5 storageClassName?, 6 volumeMode?,
  7 dataSource? TypedLocalObjectReference, 8 dataSourceRef? TypedObjectReference,
  9 volumeAttributesClassName?
PersistentVolumeClaimTemplate: 1 metadata! ObjectMeta, 2 spec! PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource: 1 claimName!, 2 readOnly bool
PhotonPersistentDiskVolumeSource: 1 pdID!, 2 fsType
PodCertificateProjection: 1 signerName, 2 keyType, 3 maxExpirationSeconds? int32,
  4 credentialBundlePath, 5 keyPath, 6 certificateChainPath, 7 userAnnotations map<string>
PortworxVolumeSource: 1 volumeID!, 2 fsType, 3 readOnly bool
ProjectedVolumeSource: 1 sources VolumeProjection[], 2 defaultMode? int32
QuobyteVolumeSource: 1 registry!, 2 volume!, 3 readOnly bool, 4 user, 5 group, 6 tenant
RBDVolumeSource: 1 monitors string[], 2 image!, 3 fsType, 4 pool, 5 user, 6 keyring,
  7 secretRef? LocalObjectReference, 8 readOnly bool
ResourceFieldSelector: 1 containerName, 2 resource!, 3 divisor! Quantity
ScaleIOVolumeSource: 1 gateway!, 2 system!, 3 secretRef? LocalObjectReference, 4 sslEnabled bool,
  5 protectionDomain, 6 storagePool, 7 storageMode, 8 volumeName, 9 fsType, 10 readOnly bool
SecretProjection: 1 ...LocalObjectReference, 2 items KeyToPath[], 4 optional? bool
SecretVolumeSource: 1 secretName, 2 items KeyToPath[], 3 defaultMode? int32, 4 optional? bool
ServiceAccountTokenProjection: 1 audience, 2 expirationSeconds? int64, 3 path!
StorageOSVolumeSource: 1 volumeName, 2 volumeNamespace, 3 fsType, 4 readOnly bool,
  5 secretRef? LocalObjectReference
TypedLocalObjectReference: 1 apiGroup?, 2 kind!, 3 name!
TypedObjectReference: 1 apiGroup?, 2 kind!, 3 name!, 4 namespace?
Volume: 1 name!, 2 ...VolumeSource
VolumeProjection: 1 secret? SecretProjection, 2 downwardAPI? DownwardAPIProjection,
  3 configMap? ConfigMapProjection, 4 serviceAccountToken? ServiceAccountTokenProjection,
  5 clusterTrustBundle? ClusterTrustBundleProjection, 6 podCertificate? PodCertificateProjection
VolumeResourceRequirements: 1 limits map<Quantity>, 2 requests map<Quantity>
VolumeSource: 1 hostPath? HostPathVolumeSource, 2 emptyDir? EmptyDirVolumeSource,
  3 gcePersistentDisk? GCEPersistentDiskVolumeSource,
  4 awsElasticBlockStore? AWSElasticBlockStoreVolumeSource, 5 gitRepo? GitRepoVolumeSource,
  6 secret? SecretVolumeSource, 7 nfs? NFSVolumeSource, 8 iscsi? ISCSIVolumeSource,
  9 glusterfs? GlusterfsVolumeSource, 10 persistentVolumeClaim? PersistentVolumeClaimVolumeSource,
  11 rbd? RBDVolumeSource, 12 flexVolume? FlexVolumeSource, 13 cinder? CinderVolumeSource,
  14 cephfs? CephFSVolumeSource, 15 flocker? FlockerVolumeSource,
  16 downwardAPI? DownwardAPIVolumeSource, 17 fc? FCVolumeSource,
  18 azureFile? AzureFileVolumeSource, 19 configMap? ConfigMapVolumeSource,
  20 vsphereVolume? VsphereVirtualDiskVolumeSource, 21 quobyte? QuobyteVolumeSource,
  22 azureDisk? AzureDiskVolumeSource, 23 photonPersistentDisk? PhotonPersistentDiskVolumeSource,
  24 portworxVolume? PortworxVolumeSource, 25 scaleIO? ScaleIOVolumeSource,
  26 projected? ProjectedVolumeSource, 27 storageos? StorageOSVolumeSource,
  28 csi? CSIVolumeSource, 29 ephemeral? EphemeralVolumeSource, 30 image? ImageVolumeSource
VsphereVirtualDiskVolumeSource: 1 volumePath!, 2 fsType, 3 storagePolicyName, 4 storagePolicyID
`
