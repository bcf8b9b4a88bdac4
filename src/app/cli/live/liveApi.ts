// How does a verb reach a running API? As kubectl does; when it cannot, one sentence and exit 1.
import type { Settings } from '../../../core/model/world.ts'
import { type Api, newApi } from '../../../edge/kube/api/client.ts'
import {
  type Connection,
  NoServerNamed,
  readConnection,
} from '../../../edge/kube/api/connection.ts'
import { ApiError, Fault } from '../../../edge/kube/api/fault.ts'
import { yamlOrFault } from '../../../edge/manifests/parseYaml.ts'
import type { Exit, Io } from '../io.ts'
import { type Arguments, isSet, type Option, textOf } from '../verb.ts'
import { askedAgain } from './askedAgain.ts'

export const apiOptions = {
  context: {
    type: 'string',
    value: 'NAME',
    help: 'kubeconfig context of the cluster',
    names: 'context',
  },
  kubeconfig: {
    type: 'string',
    value: 'FILE',
    help: "kubeconfig file; by default kubectl's",
  },
} as const satisfies Record<string, Option>

/** Where the 'berth up' of this machine is asked if no cluster is named (`withLive`). */
export const localOptions = {
  ...apiOptions,
  kubeconfig: {
    ...apiOptions.kubeconfig,
    help: "kubeconfig file; by default kubectl's, else that of 'berth up'",
  },
} as const satisfies Record<string, Option>

/** What matters where decisions are looked at: whose Services they are. */
export const liveOptions = {
  ...localOptions,
  'lb-class': {
    type: 'string',
    value: 'CLASS',
    help: 'load-balancer class that the controller handles',
  },
} as const satisfies Record<string, Option>

export const asksLive = (args: Arguments): boolean =>
  isSet(args, 'live') || textOf(args, 'context') !== '' || textOf(args, 'kubeconfig') !== ''

/** The namespace of pools and Lease is told as the controller is told it. */
export function liveSettings(args: Arguments, { env }: Io): Settings {
  const ownNamespace = env['METALLB_NAMESPACE'] || 'metallb-system'
  return { ownNamespace, loadBalancerClass: textOf(args, 'lb-class') }
}

type Live = {
  readonly api: Api
  /** Asks only once, for callers that retry by themselves. */
  readonly direct: Api
  readonly connection: Connection
}

type Work = (live: Live) => Promise<Exit>

/** Where nobody said which API is meant, it is that of the `berth up` that runs here. */
export const withLive = (args: Arguments, io: Io, work: Work): Promise<Exit> =>
  withOpened(() => namedOrLocal(args, io), io, work)

/** For what is done to a cluster: that is never guessed. */
export const withCluster = (args: Arguments, io: Io, work: Work): Promise<Exit> =>
  withOpened(() => namedOnly(args, io), io, work)

async function withOpened(connect: () => Promise<Connection>, io: Io, work: Work): Promise<Exit> {
  const opened: Live[] = []
  try {
    const connection = await connect()
    const direct = newApi(connection)
    const live = { api: askedAgain(direct, io), direct, connection }
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

const named = (args: Arguments, { env, home }: Io): Promise<Connection> =>
  readConnection({
    kubeconfig: textOf(args, 'kubeconfig') || undefined,
    context: textOf(args, 'context') || undefined,
    env,
    home,
    parseYaml: yamlOrFault,
  })

async function namedOnly(args: Arguments, io: Io): Promise<Connection> {
  try {
    return await named(args, io)
  } catch (error) {
    if (!(error instanceof NoServerNamed)) throw error
    const local = await io.localKubeconfig?.()
    const remedy =
      local === undefined
        ? 'add --kubeconfig FILE'
        : `if you mean the 'berth up' that runs here, add --kubeconfig ${local}`
    throw new Fault(`${error.message}; ${remedy}`, { cause: error })
  }
}

async function namedOrLocal(args: Arguments, io: Io): Promise<Connection> {
  try {
    return await named(args, io)
  } catch (error) {
    // A file that was named and is not there is a mistake, not a request for another API.
    if (!(error instanceof NoServerNamed) || io.env['KUBECONFIG']) throw error
    const kubeconfig = await io.localKubeconfig?.()
    if (kubeconfig === undefined) {
      const remedy = "add --kubeconfig FILE, or start 'berth up'"
      throw new Fault(`${error.message}; ${remedy}`, { cause: error })
    }
    const { env, home } = io
    const connection = await readConnection({ kubeconfig, env, home, parseYaml: yamlOrFault })
    const { origin } = connection.server
    io.err(`berth: no kubeconfig is named: asking the 'berth up' that runs here, ${origin}\n`)
    return connection
  }
}

function sentence(fault: Fault, connection: Connection | undefined): string {
  if (connection === undefined) return fault.message
  const { origin } = connection.server
  const what = fault instanceof ApiError ? 'refuses' : 'cannot be reached'
  // The client tells the same of whom it cannot connect to.
  const why = fault.message.replace(`cannot reach ${origin}: `, '')
  return `the API server ${origin} ${what}: ${why}`
}
