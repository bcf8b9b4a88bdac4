// How does a verb reach a running API? As kubectl does; when it cannot, one sentence and exit 1.
import type { Settings } from '../../../core/model/world.ts'
import { type Api, newApi } from '../../../edge/kube/api/client.ts'
import { type Connection, readConnection } from '../../../edge/kube/api/connection.ts'
import { ApiError, Fault } from '../../../edge/kube/api/fault.ts'
import { yamlOrFault } from '../../../edge/manifests/parseYaml.ts'
import type { Exit, Io } from '../io.ts'
import { type Arguments, isSet, type Option, textOf } from '../verb.ts'

export const apiOptions = {
  context: { type: 'string', value: 'NAME', help: 'ask the API of this kubeconfig context' },
  kubeconfig: { type: 'string', value: 'FILE', help: 'where contexts are, if not as for kubectl' },
} as const satisfies Record<string, Option>

/** What matters where decisions are looked at: whose Services they are. */
export const liveOptions = {
  ...apiOptions,
  'lb-class': {
    type: 'string',
    value: 'CLASS',
    help: 'on a running API: the load-balancer class that is served',
  },
} as const satisfies Record<string, Option>

export const asksLive = (args: Arguments): boolean =>
  isSet(args, 'live') || textOf(args, 'context') !== '' || textOf(args, 'kubeconfig') !== ''

/** The namespace of pools and Lease is told as the controller is told it. */
export function liveSettings(args: Arguments, { env }: Io): Settings {
  const ownNamespace = env['METALLB_NAMESPACE'] || 'metallb-system'
  return { ownNamespace, loadBalancerClass: textOf(args, 'lb-class') }
}

export type Live = { readonly api: Api; readonly connection: Connection }

export async function withLive(
  args: Arguments,
  io: Io,
  work: (live: Live) => Promise<Exit>,
): Promise<Exit> {
  const opened: Live[] = []
  try {
    const connection = await readConnection({
      kubeconfig: textOf(args, 'kubeconfig') || undefined,
      context: textOf(args, 'context') || undefined,
      env: io.env,
      home: io.home,
      parseYaml: yamlOrFault,
    })
    const live = { api: newApi(connection), connection }
    opened.push(live)
    return await work(live)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    io.err(`berth: ${sentence(error, opened[0]?.connection)}\n`)
    return 1
  } finally {
    for (const { api } of opened) api.close()
  }
}

function sentence(fault: Fault, connection: Connection | undefined): string {
  if (connection === undefined) return fault.message
  const { origin } = connection.server
  const what = fault instanceof ApiError ? 'refuses' : 'cannot be reached'
  return `the API server ${origin} ${what}: ${fault.message}`
}
