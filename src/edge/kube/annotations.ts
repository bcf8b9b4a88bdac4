// Which annotations do we read, and which prefix wins? The new one, even when it is empty (M2.1).
import {
  advertisementAnnotations,
  communityAnnotations,
  peerAnnotations,
  sessionAnnotations,
} from '../../core/model/bgpAnnotations.ts'
import { meant } from '../../core/model/meant.ts'
import type { Labels } from '../../core/model/selector.ts'

const prefix = 'metallb.io/'
const deprecatedPrefix = 'metallb.universe.tf'

export const berth = {
  serves: 'berth.dev/serves',
  whenFull: 'berth.dev/when-full',
  split: 'berth.dev/split',
  tenant: 'berth.dev/tenant',
  allowDelete: 'berth.dev/allow-delete',
  siteNames: 'berth.dev/site-names',
  interfaceAddresses: 'berth.dev/interface-addresses',
  addressed: 'berth.dev/Addressed',
  wire: 'berth.dev/wire',
  skip: 'berth.dev/skip',
  keep: 'berth.dev/keep',
  sticky: 'berth.dev/sticky',
  network: 'berth.dev/network',
  for: 'berth.dev/for',
  keptAddresses: 'berth.dev/kept-addresses',
  leavingAddresses: 'berth.dev/leaving-addresses',
  tenants: 'berth.dev/tenants',
  site: 'berth.dev/site',
  answersAt: 'berth.dev/answers-at',
} as const

/** The controller's own note: never read back from the old prefix. */
export const allocatedFromPool = `${prefix}ip-allocated-from-pool`

/** The value under the new prefix, else under the old; undefined when neither is there. */
export const metallbAnnotation = (annotations: Labels, name: string): string | undefined =>
  annotations[prefix + name] ?? annotations[`${deprecatedPrefix}/${name}`]

/** In order of name, so that which one is reported does not depend on how they were written. */
export const deprecatedAnnotations = (annotations: Labels): readonly string[] =>
  Object.keys(annotations)
    .filter((key) => key.startsWith(deprecatedPrefix))
    .sort()

const known = new Set([
  ...['address-pool', 'loadBalancerIPs', 'allow-shared-ip', 'ip-allocated-from-pool'].flatMap(
    (name) => [prefix + name, `${deprecatedPrefix}/${name}`],
  ),
  ...Object.values(berth),
  ...Object.values(advertisementAnnotations),
  ...Object.values(communityAnnotations),
  ...Object.values(peerAnnotations),
  ...Object.values(sessionAnnotations),
  'berth.dev/endpoints',
  'berth.dev/lint-ignore',
  'berth.dev/touched',
  'berth.dev/renumbering',
  'berth.dev/interfaces',
  'berth.dev/bgppeer-v1beta2',
])

/** Of our prefixes, but none that anybody reads: a slip of the pen that would do nothing. */
export const unknownAnnotations = (annotations: Labels) =>
  Object.keys(annotations)
    .filter(
      (key) => /^(metallb\.io|metallb\.universe\.tf|berth\.dev)\//.test(key) && !known.has(key),
    )
    .sort()
    .map((key, at) => {
      const isCompared = at < mostCompared && key.length <= longestCompared
      return { key, message: `unknown annotation "${key}"${isCompared ? meant(key, known) : ''}` }
    })

/** Comparing costs time for each letter, and whoever writes the object chooses how many. */
const [mostCompared, longestCompared] = [16, 64]

/** Those of the names; undefined when there are none. */
export function annotationsAmong(
  names: Readonly<Record<string, string>>,
  annotations: Labels,
): Labels | undefined {
  const found = Object.values(names).filter((name) => annotations[name] !== undefined)
  if (found.length === 0) return undefined
  return Object.fromEntries(found.map((name) => [name, annotations[name] ?? '']))
}

/** Whether Berth made the object (R3.1, R4.19). */
export const isManaged = (labels: Labels): boolean =>
  labels['app.kubernetes.io/managed-by'] === 'berth'
