// berth migrate configmap: prints the configuration of MetalLB before 0.13 as resources.
import { Cluster } from '../../../core/sim/cluster.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import { parseYaml } from '../../../edge/manifests/parseYaml.ts'
import { readManifests } from '../../../edge/manifests/readManifests.ts'
import { readCrds } from '../../../edge/manifests/shippedCrds.ts'
import { toYaml } from '../../../edge/manifests/toYaml.ts'
import { gatesOf } from '../gates.ts'
import type { Exit, Io } from '../io.ts'
import { placeText } from '../placeText.ts'
import { fromConfigMap, type LegacyResource } from './fromConfigMap.ts'

const defaultNamespace = 'metallb-system'
const heading = '# Made from a MetalLB ConfigMap by berth migrate configmap.\n'

type ConfigText = { readonly text: string; readonly namespace: string } | { readonly why: string }

export async function migrateConfigMap(file: string, io: Io): Promise<Exit> {
  const found = await configIn(file, io)
  if ('why' in found) return failed([found.why], io)
  const { text, namespace } = found
  const config = parseYaml(text)
  if (!config.ok) return failed([`${file}: data.config: ${config.why}`], io)
  return convertLegacy(config.value, { namespace, heading }, io)
}

type Printing = { readonly namespace: string; readonly heading: string }

/** Of anything that says what a ConfigMap says. */
export async function convertLegacy(config: unknown, printing: Printing, io: Io): Promise<Exit> {
  const namespace = printing.namespace || defaultNamespace
  const { resources, notes, errors } = fromConfigMap(config, namespace)
  for (const note of notes) io.err(`note: ${note}\n`)
  if (errors.length > 0) return failed(errors, io)
  const refusals = await refusalsOf(resources, namespace)
  if (refusals.length > 0) return failed(refusals, io)
  io.out(printing.heading + resources.map((resource) => `${toYaml(resource)}---\n`).join(''))
  return 0
}

export function failed(errors: readonly string[], io: Io): Exit {
  for (const error of errors) io.err(`berth: ${error}\n`)
  return 1
}

/** The first ConfigMap; other objects are ignored. */
async function configIn(file: string, io: Io): Promise<ConfigText> {
  let why = `${file} has no ConfigMap`
  for await (const read of readManifests([file], io.stdin)) {
    if (!read.ok) {
      why = `${placeText(read.unreadable.source)}: ${read.unreadable.why}`
      continue
    }
    const { kind, data, metadata } = read.manifest.json
    if (kind !== 'ConfigMap') continue
    const text = isRecord(data) ? data['config'] : undefined
    if (typeof text !== 'string' || text === '') {
      why = `${file}: the ConfigMap has no key config`
      continue
    }
    const namespace = isRecord(metadata) ? metadata['namespace'] : undefined
    const isWritten = typeof namespace === 'string' && namespace !== ''
    return { text, namespace: isWritten ? namespace : defaultNamespace }
  }
  return { why }
}

/** Refuses what a cluster would refuse; rules of a single BGP implementation do not count. */
async function refusalsOf(
  resources: readonly LegacyResource[],
  ownNamespace: string,
): Promise<string[]> {
  const gate = gatesOf(await readCrds())('native')
  const cluster = new Cluster(gate, { ownNamespace, loadBalancerClass: '' })
  // Referenced objects must exist first; the printed order may differ.
  const inOrder = [...resources].sort((one, other) => rank(one) - rank(other))
  const twice = resources.map(idOf).filter((id, at, all) => all.indexOf(id) !== at)
  return [
    ...twice.map((id) => `${id} would exist twice: rename one of them`),
    ...inOrder.flatMap((resource) => {
      const applied = cluster.apply({ ...resource })
      if (applied.ok) return []
      return applied.errors.map(({ path, message }) => `${idOf(resource)}: ${path}: ${message}`)
    }),
  ]
}

const idOf = ({ kind, metadata }: LegacyResource): string => `${kind} ${metadata.name}`

const rank = ({ kind }: LegacyResource): number =>
  ['BFDProfile', 'Community', 'IPAddressPool'].includes(kind) ? 0 : 1
