// What do these files say? Every manifest through the one admission into a virtual cluster; what
// cannot be read, is refused, comes twice or is not ours is told beside it.
import { dirname, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../core/model/admission.ts'
import type { JsonObject } from '../../core/model/gate.ts'
import { recordAt, textAt } from '../../core/model/json.ts'
import type { Settings } from '../../core/model/world.ts'
import { renderedForLabel } from '../../core/policy/made/metallb/renderedFor.ts'
import { type Applied, Cluster } from '../../core/sim/cluster.ts'
import { namespaceNamed } from '../../core/sim/namespaces.ts'
import { settings as usual } from '../../core/sim/runScenario.ts'
import type { Admission } from '../../edge/kube/admission.ts'
import { groupOf } from '../../edge/kube/decode/decode.ts'
import { isKustomization } from '../../edge/manifests/files.ts'
import type { Manifest, Read, Unreadable } from '../../edge/manifests/manifest.ts'
import { readControlPlaneCrd, readCrds } from '../../edge/manifests/shippedCrds.ts'
import { asFromApi, isFromApi } from './fromApi.ts'
import { gatesOf } from './gates.ts'
import { type Given, readGiven } from './given.ts'
import type { Io } from './io.ts'

export type RefusedObject = {
  readonly id: string
  readonly manifest: Manifest
  /** Whether it could not even be read as its kind (wrong types, an unknown kind). */
  readonly isUnreadable: boolean
  readonly errors: readonly FieldError[]
}
export type Loaded = {
  readonly unreadable: readonly Unreadable[]
  readonly refused: readonly RefusedObject[]
  readonly warned: readonly {
    readonly id: string
    readonly manifest: Manifest
    readonly warning: string
  }[]
  /** A second object of one name: the one that was read later counts, as kubectl would have it.
   *  One that says the same is no second one. */
  readonly twice: readonly {
    readonly id: string
    readonly manifest: Manifest
    readonly first: Manifest
  }[]
  /** Objects of groups that Berth does not know, by group. */
  readonly passedOver: ReadonlyMap<string, number>
  /** ConfigMaps with the configuration of MetalLB before 0.13, which nothing reads any more. */
  readonly oldConfigs: readonly { readonly id: string; readonly manifest: Manifest }[]
  /** Folders that kustomize builds, and that were read as they are. */
  readonly unbuilt: readonly string[]
  /** Admission policies of `berth tenant render`: what they make of Services is not known here. */
  readonly unplayed: readonly { readonly tenant: string; readonly manifest: Manifest }[]
  /** Where each object was read from, by Kind/namespace/name. */
  readonly manifests: ReadonlyMap<string, Manifest>
}

/** One run of a verb: a cluster, the admission in front of it, and where to read and write. */
export type Session = { readonly cluster: Cluster; readonly gate: Admission; readonly io: Io }

export async function newSession(io: Io, settings: Settings = usual): Promise<Session> {
  const crds = [...(await readCrds()), await readControlPlaneCrd()]
  const gate = gatesOf(crds)('native')
  return { cluster: new Cluster(gate, settings), gate, io }
}

/** How an object comes into the cluster. */
type Put = (id: string, json: JsonObject) => Applied

/** Applies everything, in the order of reading; the caller lets the cluster settle. */
export async function load(session: Session, given: Given): Promise<Loaded> {
  const reads: Read[] = []
  for await (const read of readGiven(given, session.io)) reads.push(read)
  return admitAll(session, asFromApi(reads), (_, json) =>
    isFromApi(json) ? held(session, json) : session.cluster.apply(json),
  )
}

/** Its namespace is there, even if nobody exported that. */
function held({ cluster }: Session, json: JsonObject): Applied {
  const namespace = textAt(recordAt(json, 'metadata'), 'namespace')
  if (namespace !== '' && cluster.get(`Namespace/${namespace}`) === undefined) {
    cluster.apply(namespaceNamed(namespace))
  }
  return cluster.hold(json)
}

export async function admitAll(
  { cluster, gate }: Session,
  reads: Iterable<Read> | AsyncIterable<Read>,
  put: Put,
): Promise<Loaded> {
  const unreadable: Unreadable[] = []
  const refused: RefusedObject[] = []
  const warned: Loaded['warned'][number][] = []
  const twice: Loaded['twice'][number][] = []
  const passedOver = new Map<string, number>()
  const oldConfigs: Loaded['oldConfigs'][number][] = []
  const unbuilt: string[] = []
  const unplayed: Loaded['unplayed'][number][] = []
  const manifests = new Map<string, Manifest>()
  for await (const read of reads) {
    if (!read.ok) {
      unreadable.push(read.unreadable)
      continue
    }
    const { manifest } = read
    const { json } = manifest
    const group = groupOf(String(json['apiVersion']))
    if (isLocal(json)) continue
    if (isKustomization(manifest.source.file)) unbuilt.push(dirname(manifest.source.file))
    if (!isKnown(gate, group, String(json['kind']))) {
      passedOver.set(group, (passedOver.get(group) ?? 0) + 1)
      const tenant = tenantRendered(json)
      if (tenant !== '') unplayed.push({ tenant, manifest })
      continue
    }
    const id = cluster.idOf(json)
    if (isOldConfig(json)) oldConfigs.push({ id, manifest })
    const first = manifests.get(id)
    if (first !== undefined && !isDeepStrictEqual(first.json, json)) {
      twice.push({ id, manifest, first })
    }
    const applied = put(id, json)
    if (!applied.ok) {
      manifests.set(id, first ?? manifest)
      refused.push({ ...applied, id, manifest })
    } else {
      manifests.set(id, manifest)
      for (const warning of isServedByOthers(json) ? [] : applied.warnings) {
        warned.push({ id, manifest, warning })
      }
    }
  }
  again(refused, warned, { put, manifests })
  return {
    ...{ unreadable, refused, warned, twice, passedOver, oldConfigs, unplayed, manifests },
    unbuilt: topmost(unbuilt),
  }
}

type Tried = { readonly put: Put; readonly manifests: ReadonlyMap<string, Manifest> }

/**
 * Files come in the order of their names, and an object may need one that stands in a later file:
 * what is refused is tried again until nothing more is let in.
 */
function again(
  refused: RefusedObject[],
  warned: Loaded['warned'][number][],
  { put, manifests }: Tried,
): void {
  const before = refused.length
  for (const one of refused.splice(0)) {
    const { id, manifest, isUnreadable } = one
    const applied = isUnreadable ? undefined : put(id, manifest.json)
    const last = manifests.get(id)
    if (applied !== undefined && last !== undefined && last !== manifest) put(id, last.json)
    if (applied?.ok !== true) refused.push(applied === undefined ? one : { ...one, ...applied })
    else for (const warning of applied.warnings) warned.push({ id, manifest, warning })
  }
  if (refused.length > 0 && refused.length < before) again(refused, warned, { put, manifests })
}

const isOldConfig = (json: JsonObject): boolean =>
  json['kind'] === 'ConfigMap' &&
  /^(address-pools|peers):/m.test(textAt(recordAt(json, 'data'), 'config'))

/** Of its two policies the one that changes Services. */
const tenantRendered = (json: JsonObject): string =>
  json['kind'] === 'MutatingAdmissionPolicy'
    ? textAt(recordAt(recordAt(json, 'metadata'), 'labels'), renderedForLabel)
    : ''

/**
 * An unknown kind of our own groups is let through to admission, which refuses it by name; but the
 * MetalLB Operator has a kind of its own there, which installs MetalLB.
 */
const isKnown = (gate: Admission, group: string, kind: string): boolean =>
  gate.knows(group, kind) ||
  group === 'berth.dev' ||
  (group === 'metallb.io' && kind !== 'MetalLB') ||
  (group === '' && !coreKinds.has(kind))

/** All that Kubernetes itself has in the group without a name: anything else is a typo. */
const coreKinds: ReadonlySet<string> = new Set([
  ...['Binding', 'ComponentStatus', 'ConfigMap', 'Endpoints', 'Event', 'LimitRange', 'List'],
  ...['Namespace', 'Node', 'PersistentVolume', 'PersistentVolumeClaim', 'Pod', 'PodTemplate'],
  ...['ReplicationController', 'ResourceQuota', 'Secret', 'Service', 'ServiceAccount'],
])

/** An API that keeps a control plane has dropped what its own CRD lacks, which may know more. */
const isServedByOthers = (json: JsonObject): boolean =>
  json['kind'] === 'OpenStackControlPlane' && isFromApi(json)

/** Instructions to programs such as kustomize, which drops them: no object of a cluster. */
const isLocal = (json: JsonObject): boolean =>
  'config.kubernetes.io/local-config' in recordAt(recordAt(json, 'metadata'), 'annotations')

/** Those that lie in no other of them: a base is built with what refers to it. */
const topmost = (folders: readonly string[]): readonly string[] =>
  folders.filter(
    (folder) => !folders.some((other) => folder !== other && folder.startsWith(`${other}${sep}`)),
  )
