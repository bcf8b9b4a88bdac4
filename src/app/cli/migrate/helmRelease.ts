// What would uninstalling a Helm release delete? Its record lists the manifests, and what is taken
// out of the record stays in the cluster.
import { gunzipSync, gzipSync } from 'node:zlib'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { parseYaml } from '../../../edge/manifests/parseYaml.ts'

export type Release = {
  readonly name: string
  readonly namespace: string
  /** The Secret with its newest record. */
  readonly secret: string
  readonly record: Readonly<Record<string, unknown>>
  /** As Kind/name: what must outlive MetalLB. */
  readonly kept: readonly string[]
  readonly needsFrr: boolean
}

/**
 * The newest record of each release that would delete definitions, pools or a namespace; frr-k8s as
 * well, where it is needed without MetalLB.
 */
export function releasesIn(secrets: readonly unknown[], needsFrr: boolean): Release[] {
  return [...newestIn(secrets)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, secret]) => releaseIn(secret, needsFrr))
}

/** By namespace/name of the release: the Secret that Helm reads. */
function newestIn(secrets: readonly unknown[]): ReadonlyMap<string, Fields> {
  const newest = new Map<string, { readonly version: number; readonly secret: Fields }>()
  for (const json of secrets) {
    const secret = new Fields(json, [])
    const { namespace, labels } = metaOf(secret)
    if (secret.text('type') !== 'helm.sh/release.v1') continue
    const key = `${namespace}/${labels['name'] ?? ''}`
    const version = Number(labels['version'] ?? 0)
    if (version > (newest.get(key)?.version ?? -1)) newest.set(key, { version, secret })
  }
  return new Map([...newest].map(([key, { secret }]) => [key, secret]))
}

function releaseIn(secret: Fields, needsFrr: boolean): Release[] {
  const { name, namespace, labels } = metaOf(secret)
  const record = recordIn(secret)
  if (record === undefined) return []
  const manifest = record['manifest']
  const documents = typeof manifest === 'string' ? documentsIn(manifest, needsFrr) : []
  const kept = documents.flatMap(({ keptAs }) => keptAs ?? [])
  // One that holds nothing of MetalLB's is not ours to look at.
  if (!kept.some((one) => !one.startsWith('Namespace/'))) return []
  const release = labels['name'] ?? ''
  return [{ name: release, namespace, secret: name, record, kept, needsFrr }]
}

/**
 * As namespace/name: releases that these objects say they belong to, and of which the newest record
 * cannot be read. Helm can keep them in ConfigMaps or in a database (HELM_DRIVER).
 */
export function unreadReleases(objects: readonly Fields[], secrets: readonly unknown[]): string[] {
  const newest = newestIn(secrets)
  const isUnread = (release: string): boolean => {
    const secret = newest.get(release)
    return secret === undefined || recordIn(secret) === undefined
  }
  const named = objects.flatMap((object) => releaseOf(object) ?? [])
  return [...new Set(named)].filter(isUnread).sort()
}

/** Of the object that Helm installed, as Helm says on it. */
export function releaseOf(object: Fields): string | undefined {
  const { annotations, namespace } = metaOf(object)
  const name = annotations['meta.helm.sh/release-name']
  const place = annotations['meta.helm.sh/release-namespace'] ?? namespace
  return name === undefined ? undefined : `${place}/${name}`
}

/** The record without them, as a Secret holds it. */
export function withoutKept({ record, needsFrr }: Release): string {
  const { manifest } = record
  const left = documentsIn(String(manifest), needsFrr).filter(({ keptAs }) => keptAs === undefined)
  const text = left.map((document) => `---${document.text}`).join('')
  const json = JSON.stringify({ ...record, manifest: text })
  return Buffer.from(gzipSync(json).toString('base64')).toString('base64')
}

/** Anybody can write a Secret that passes for a record, and a few bytes unpack to gigabytes. */
const mostBytes = 2 ** 25

/** Undefined if it is in a form that this version does not know, or larger than any release. */
function recordIn(secret: Fields): Readonly<Record<string, unknown>> | undefined {
  try {
    const data = secret.inner('data').text('release')
    const packed = Buffer.from(Buffer.from(data, 'base64').toString('latin1'), 'base64')
    const text = gunzipSync(packed, { maxOutputLength: mostBytes }).toString('utf8')
    return new Fields(JSON.parse(text), []).json
  } catch {
    return undefined
  }
}

type Document = { readonly text: string; readonly keptAs: string | undefined }

function documentsIn(manifest: string, needsFrr: boolean): Document[] {
  return manifest
    .split(/^---(?=\s)/m)
    .filter((text) => text.trim() !== '')
    .map((text) => ({ text, keptAs: keptAs(text, needsFrr) }))
}

/** Definitions and objects of MetalLB's group, and namespaces, which take everything with them. */
function keptAs(text: string, needsFrr: boolean): string | undefined {
  const read = parseYaml(text)
  const object = new Fields(read.ok ? read.value : undefined, [])
  const kind = object.text('kind')
  const { name } = metaOf(object)
  const isDefinition =
    kind === 'CustomResourceDefinition' && object.inner('spec').text('group') === 'metallb.io'
  const isConfiguration = object.text('apiVersion').startsWith('metallb.io/')
  const isKept = isDefinition || isConfiguration || kind === 'Namespace'
  return isKept || (needsFrr && isOfFrr(text)) ? `${kind}/${name}` : undefined
}

/** Helm writes above each document from which template it is. */
const isOfFrr = (text: string): boolean => /^# Source: .*\/charts\/frr-k8s\//m.test(text)
