// How far has the migration come? Read from the API alone, so that it can be resumed by anybody.
import { type Adoption, adoptionOf, leaseName } from '../../../../edge/kube/adoption.ts'
import { isManaged } from '../../../../edge/kube/annotations.ts'
import { decodeLeader } from '../../../../edge/kube/decode/decodeLeader.ts'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import type { Fields } from '../../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../../edge/kube/kinds.ts'
import { listAll } from '../../live/listAll.ts'
import { bgpUse, usesLayer2 } from '../checkBgp.ts'
import { isOfMetallb } from '../checkWebhooks.ts'
import { needsFrr, speakerName } from '../frrUse.ts'
import { type Release, releasesIn, unreadReleases } from '../helmRelease.ts'
import { controllersIn, speakersIn, type Workload } from '../metallb.ts'
import { berthIn } from '../place.ts'
import { liveWorld } from './liveWorld.ts'
import { type NodeProgress, nodesFrom } from './nodeProgress.ts'
import { listed, readOne, type Walk } from './walk.ts'

export type Progress = {
  readonly controllers: readonly Workload[]
  readonly speakers: readonly Workload[]
  /** Validating webhook configurations of MetalLB. */
  readonly webhooks: readonly Fields[]
  readonly releases: readonly Release[]
  /** As namespace/name: what Helm would delete with them is not known. */
  readonly unreadReleases: readonly string[]
  readonly peers: {
    readonly isStoredOld: boolean
    /** The Service that converts; empty where none does. */
    readonly convertedBy: string
  }
  readonly nodes: readonly NodeProgress[]
  readonly berth: {
    readonly controller: Fields | undefined
    /** Where there is another one, in order. */
    readonly elsewhere: readonly string[]
    readonly speaker: Fields | undefined
    readonly hasDefinitions: boolean
    /** Undefined before the first controller has led. */
    readonly adoption: Adoption | undefined
    readonly isLed: boolean
    /** Addresses that it wrote. */
    readonly hasRecords: boolean
  }
  readonly uses: { readonly layer2: boolean; readonly bgp: boolean }
}

/** What has to be put back on the way back. */
export const notesName = 'berth-migration'

export async function readProgress(walk: Walk): Promise<Progress> {
  const { api, io, namespace } = walk
  const world = await liveWorld(walk)
  const [deployments, daemonSets, webhooks, definitions, pods, frr] = await Promise.all([
    listed(walk, 'Deployment'),
    listed(walk, 'DaemonSet'),
    listed(walk, 'ValidatingWebhookConfiguration'),
    listed(walk, 'CustomResourceDefinition'),
    listed(walk, 'Pod', namespace),
    listed(walk, 'FRRConfiguration'),
  ])
  const selector = { labelSelector: 'owner=helm' }
  const secrets = await listAll(api, { ...resourceOf('Secret'), selector }, io.signal)
  const isHere = (one: Workload) => one.namespace === namespace
  const controllers = controllersIn(jsonOf(deployments)).filter(isHere)
  const speakers = speakersIn(jsonOf(daemonSets)).filter(isHere)
  const named = (name: string) => (one: Fields) =>
    metaOf(one).name === name && metaOf(one).namespace === namespace
  const peers = definitions.find((crd) => metaOf(crd).name === 'bgppeers.metallb.io')
  const conversion = peers?.inner('spec').inner('conversion').inner('webhook').inner('clientConfig')
  const lease = await readOne(walk, { kind: 'Lease', name: leaseName, namespace })
  const leader = lease === undefined ? undefined : decodeLeader(lease.json, Date.now())
  return {
    controllers,
    speakers,
    webhooks: webhooks.filter((one) => one.each('webhooks').some(isOfMetallb)),
    releases: releasesIn(secrets, needsFrr(jsonOf(frr), jsonOf(daemonSets))),
    unreadReleases: unreadReleases(
      [...controllers, ...speakers].map(({ object }) => object),
      secrets,
    ),
    peers: {
      isStoredOld: peers?.inner('status').texts('storedVersions').includes('v1beta1') ?? false,
      convertedBy: conversion?.inner('service').text('name') ?? '',
    },
    nodes: nodesFrom(await listed(walk, 'Node'), pods),
    berth: {
      controller: deployments.find(named(leaseName)),
      elsewhere: berthIn(jsonOf(deployments)).filter((one) => one !== namespace),
      speaker: daemonSets.find(named(speakerName)),
      hasDefinitions: definitions.some((crd) => metaOf(crd).name === 'addresses.berth.dev'),
      adoption: lease === undefined ? undefined : adoptionOf(lease),
      isLed: leader !== undefined && !leader.isExpired,
      hasRecords: (await listed(walk, 'Address')).some((one) => isManaged(metaOf(one).labels)),
    },
    uses: { layer2: usesLayer2(world), bgp: bgpUse(world).peers.length > 0 },
  }
}

const jsonOf = (objects: readonly Fields[]): readonly unknown[] => objects.map(({ json }) => json)
