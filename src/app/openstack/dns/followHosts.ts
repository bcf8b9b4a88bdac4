// Which hosts does a DNS server know? Those of the ConfigMaps in its namespace that have its label,
// from the moment that they have it.
import { hostsLabel } from '../../../core/model/names/dnsLabels.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import { type WatchStep, watch } from '../../../edge/kube/api/watch.ts'
import { decodeHostsMap } from '../../../edge/kube/decode/decodeDns.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { HostsFolder } from './hostsFolder.ts'

type Following = {
  readonly api: Api
  readonly clock: Clock
  readonly random: () => number
  readonly namespace: string
  /** The value of the label. */
  readonly label: string
  readonly folder: string
  readonly signal: AbortSignal
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** Every host is written, for the first time or again. */
  readonly complete: () => void
  /** So many came at once that dnsmasq reads them faster at its start. */
  readonly isMuch?: () => void
}

/** Until the signal aborts. While the API does not answer, what is known stays. */
export async function followHosts(following: Following): Promise<void> {
  const { api, clock, random, namespace, label, signal, log, complete } = following
  const folder = new HostsFolder(following.folder)
  const selector = { labelSelector: `${hostsLabel}=${label}` }
  const resource = { ...resourceOf('ConfigMap', namespace), selector }
  let listed = new Set<string>()
  for await (const step of watch(api, resource, { signal, clock, random })) {
    if (step.type === 'fault') log({ level: 'warn', message: step.fault.message })
    else if (step.type === 'init') listed = new Set()
    else if (step.type === 'init-done') {
      folder.keepOnly(listed)
      complete()
    } else listed.add(take(folder, step, following))
  }
}

type Step = Extract<WatchStep, { json: unknown }>

function take(folder: HostsFolder, step: Step, { isMuch }: Pick<Following, 'isMuch'>): string {
  const map = decodeHostsMap(new Fields(step.json, []))
  if (step.type === 'delete') folder.remove(map.name)
  else if (folder.put(map)) isMuch?.()
  return map.name
}
