// What runs on a single machine? The embedded API, and the controllers on it as on any other.
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Complete } from '../../core/model/completion.ts'
import { systemClock, timestamp } from '../../edge/host/clock.ts'
import { type Api, newApi } from '../../edge/kube/api/client.ts'
import type { Connection } from '../../edge/kube/api/connection.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { restore } from '../../edge/store/storage/backup.ts'
import { fileIn } from '../../edge/store/storage/databaseFile.ts'
import { Objects, type ObjectsOptions } from '../../edge/store/storage/objects.ts'
import { makeRoom } from '../../edge/store/storage/spare.ts'
import { restoreRemedy } from '../../edge/store/storage/storeFault.ts'
import { readVersion } from '../cli/version.ts'
import { Controller } from '../controller/controller.ts'
import { runDns } from '../openstack/dns/runDns.ts'
import { openstack } from '../openstack/openstack.ts'
import { bringFirst } from './bring.ts'
import { type Folder, makeFolder } from './folder.ts'
import { OwnIdentity, serverNames } from './identity.ts'
import { keptRunning } from './keptRunning.ts'
import { MeasuredController } from './measuredController.ts'
import { runsAlready, whoRuns } from './running.ts'
import { cannotServe, type Store, startStore } from './startStore.ts'

export type UpOptions = {
  readonly folder: Folder
  /** 0 for any free port. */
  readonly port: number
  readonly listen: string
  /** Whether this machine is one of the nodes. */
  readonly isNode: boolean
  /** A backup to start from. */
  readonly restore: string | undefined
  /** Existing data is kept aside, and the backup takes its place. */
  readonly isReplaced?: boolean
  readonly store?: ObjectsOptions
}

type Up = {
  readonly server: string
  /** The connection for our controllers. */
  readonly connection: Connection
  readonly close: () => Promise<void>
}

type Log = (entry: Readonly<Record<string, unknown>>) => void

/** The same for every part. */
export const settings = { ownNamespace: 'metallb-system', loadBalancerClass: '' }
const loopback = '127.0.0.1'
/** Of DNS servers; only root may have 53. */
const firstDnsPort = 5300

/** Resolves once the API answers and the controllers have started. */
export async function startUp(options: UpOptions, log: Log): Promise<Up> {
  const unmake = makeFolder(options.folder)
  try {
    await begin(options)
    return await started(options, log)
  } catch (error) {
    unmake()
    throw error
  }
}

async function started(options: UpOptions, log: Log): Promise<Up> {
  const { folder, listen, port } = options
  // First of all: until the file is locked, another instance may run here with keys of its own.
  const failed = (error: unknown) => log({ level: 'error', message: String(error) })
  const kept = { hasSpare: true, onDropped: failed }
  const objects = Objects.open(folder.path, { ...kept, ...options.store })
  const identity = await OwnIdentity.open(folder, serverNames(listen)).catch((error: unknown) => {
    objects.close()
    throw error
  })
  const build = await readVersion()
  const { keys } = identity
  const measured = new MeasuredController()
  const metrics = () => measured.page()
  const completePod: Complete = async (asked) =>
    measured.controller?.complete('/Pod', asked) ?? {
      ok: false,
      why: 'Berth is starting: try again',
    }
  const given = { objects, listen, port, keys, settings, build, failed, metrics, completePod }
  const store = await startStore(given)
  try {
    return await runOn(store, { objects, identity, options, log, measured })
  } catch (error) {
    await store.close()
    throw error
  }
}

async function begin(options: UpOptions): Promise<void> {
  const { folder, restore: backup } = options
  const running = whoRuns(folder)
  if (running !== undefined) throw runsAlready(folder, running)
  makeRoom(fileIn(folder.path))
  // Before there is a store: a failed start must not leave one behind.
  if (backup !== undefined || !existsSync(fileIn(folder.path))) await triesToListen(options)
  if (backup !== undefined) beginWith(backup, options)
}

function triesToListen({ listen, port }: UpOptions): Promise<void> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotServe({ listen, port }, error)))
    server.listen({ port, host: listen }, () => server.close(() => resolve()))
  })
}

/** A fault in a backup must not suggest to restore one. */
function beginWith(backup: string, { folder, isReplaced = false }: UpOptions): void {
  if (!existsSync(backup)) throw new Fault(`${backup}: no such file`)
  try {
    restore(backup, folder.path, { replace: isReplaced })
  } catch (error) {
    if (!(error instanceof Fault) || !error.message.endsWith(restoreRemedy)) throw error
    const why = error.message.slice(0, -restoreRemedy.length)
    const what = "--restore needs a file written by 'berth backup'; nothing was changed."
    throw new Fault(`${why}${what}`, { cause: error })
  }
}

/** A server that listens on all addresses is reached on loopback. */
function urlOf(listen: string, port: number): string {
  const host = ['0.0.0.0', '::'].includes(listen) ? loopback : listen
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`
}

type Running = {
  readonly objects: Objects
  readonly identity: OwnIdentity
  readonly options: UpOptions
  readonly log: Log
  readonly measured: MeasuredController
}

async function runOn(store: Store, running: Running): Promise<Up> {
  const { objects, identity, options, log, measured } = running
  const { listen } = options
  const server = urlOf(listen, store.port)
  identity.writeKubeconfig(server)
  const failed = (error: unknown) => log({ level: 'error', message: String(error) })
  const connection = identity.connectionTo(server)
  const api = newApi(connection)
  try {
    await bringFirst(api, objects, { ...settings, isNode: options.isNode })
  } catch (error) {
    api.close()
    throw error
  }
  const stopRenewing = identity.watch((keys) => {
    store.present(keys)
    identity.writeKubeconfig(server)
  }, failed)
  const stop = new AbortController()
  const counted = measured.requests.counted(api)
  const deciding = keptRunning('controller', {
    log,
    signal: stop.signal,
    run: () => measured.follow(controllerOn(counted, log)).run(stop.signal),
  })
  const answering = keptRunning('dns', {
    log,
    signal: stop.signal,
    run: () => runDns({ ...dnsOn(options), api, log }, stop.signal),
  })
  return {
    server,
    connection,
    async close() {
      stopRenewing()
      stop.abort()
      await Promise.all([deciding, answering])
      api.close()
      await store.close()
    },
  }
}

/** DNS servers answer where the API does. */
const dnsOn = ({ folder, listen }: UpOptions) => ({
  clock: systemClock,
  random: Math.random,
  note: join(folder.path, 'dns'),
  address: listen === 'localhost' ? loopback : listen,
  firstPort: firstDnsPort,
})

/** The folder has one owner, so nobody else can lead: after a crash it continues at once. */
function controllerOn(api: Api, log: Log): Controller {
  return new Controller({
    api,
    settings,
    clock: systemClock,
    random: Math.random,
    timestamp,
    identity: 'berth-up',
    extensions: [openstack('auto')],
    log,
  })
}
