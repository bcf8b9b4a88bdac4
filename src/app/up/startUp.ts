// What runs when one machine runs? The embedded API, then the controllers on it as on any other.
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { systemClock } from '../../edge/host/clock.ts'
import { type Api, newApi } from '../../edge/kube/api/client.ts'
import type { Connection } from '../../edge/kube/api/connection.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { restore } from '../../edge/store/storage/backup.ts'
import { fileIn } from '../../edge/store/storage/databaseFile.ts'
import { Objects, type ObjectsOptions } from '../../edge/store/storage/objects.ts'
import { restoreRemedy } from '../../edge/store/storage/storeFault.ts'
import { readVersion } from '../cli/version.ts'
import { Controller } from '../controller/controller.ts'
import { timestamp } from '../controller/runController.ts'
import { bringFirst } from './bring.ts'
import { type Folder, makeFolder } from './folder.ts'
import { OwnIdentity, serverNames } from './identity.ts'
import { keptRunning } from './keptRunning.ts'
import { runsAlready, whoRuns } from './running.ts'
import { cannotServe, type Store, startStore } from './startStore.ts'

export type UpWish = {
  readonly folder: Folder
  /** 0 for any that is free. */
  readonly port: number
  readonly listen: string
  /** A backup to begin with. */
  readonly restore: string | undefined
  /** Of what is there already: it is kept beside, and the backup takes its place. */
  readonly isReplaced?: boolean
  readonly store?: ObjectsOptions
}

type Up = {
  readonly server: string
  /** As our controllers reach it. */
  readonly connection: Connection
  readonly close: () => Promise<void>
}

type Log = (entry: Readonly<Record<string, unknown>>) => void

/** The same for every part. */
export const settings = { ownNamespace: 'metallb-system', loadBalancerClass: '' }
const loopback = '127.0.0.1'

/** Ends once the API answers and the controllers have begun. */
export async function startUp(wish: UpWish, log: Log): Promise<Up> {
  const unmake = makeFolder(wish.folder)
  try {
    await begin(wish)
    return await started(wish, log)
  } catch (error) {
    unmake()
    throw error
  }
}

async function started(wish: UpWish, log: Log): Promise<Up> {
  const { folder, listen, port } = wish
  // Before anything else: until the file is locked, another may run here and have keys of its own.
  const failed = (error: unknown) => log({ level: 'error', message: String(error) })
  const objects = Objects.open(folder.path, { ...wish.store, onDropped: failed })
  const identity = await OwnIdentity.open(folder, serverNames(listen)).catch((error: unknown) => {
    objects.close()
    throw error
  })
  const build = await readVersion()
  const { keys } = identity
  const store = await startStore({ objects, listen, port, keys, settings, build, failed })
  try {
    return await runOn(store, { objects, identity, wish, log })
  } catch (error) {
    await store.close()
    throw error
  }
}

async function begin(wish: UpWish): Promise<void> {
  const { folder, restore: backup } = wish
  const running = whoRuns(folder)
  if (running !== undefined) throw runsAlready(folder, running)
  // Before there is a store: a start that comes to nothing is not to leave one behind.
  if (backup !== undefined || !existsSync(fileIn(folder.path))) await triesToListen(wish)
  if (backup !== undefined) beginWith(backup, wish)
}

function triesToListen({ listen, port }: UpWish): Promise<void> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotServe({ listen, port }, error)))
    server.listen({ port, host: listen }, () => server.close(() => resolve()))
  })
}

/** What is wrong with a backup is not put right by restoring one. */
function beginWith(backup: string, { folder, isReplaced = false }: UpWish): void {
  if (!existsSync(backup)) throw new Fault(`${backup}: there is no such backup`)
  try {
    restore(backup, folder.path, { replace: isReplaced })
  } catch (error) {
    if (!(error instanceof Fault) || !error.message.endsWith(restoreRemedy)) throw error
    const why = error.message.slice(0, -restoreRemedy.length)
    const what = "--restore takes a file that 'berth backup' wrote, and nothing was changed."
    throw new Fault(`${why}${what}`, { cause: error })
  }
}

/** Whoever listens everywhere is also here. */
function urlOf(listen: string, port: number): string {
  const host = ['0.0.0.0', '::'].includes(listen) ? loopback : listen
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`
}

type Running = {
  readonly objects: Objects
  readonly identity: OwnIdentity
  readonly wish: UpWish
  readonly log: Log
}

async function runOn(store: Store, { objects, identity, wish, log }: Running): Promise<Up> {
  const { listen } = wish
  const server = urlOf(listen, store.port)
  identity.writeKubeconfig(server)
  const failed = (error: unknown) => log({ level: 'error', message: String(error) })
  const connection = identity.connectionTo(server)
  const api = newApi(connection)
  try {
    await bringFirst(api, objects, settings.ownNamespace)
  } catch (error) {
    api.close()
    throw error
  }
  const stopRenewing = identity.watch((keys) => {
    store.present(keys)
    identity.writeKubeconfig(server)
  }, failed)
  const stop = new AbortController()
  const running = keptRunning('controller', {
    log,
    signal: stop.signal,
    run: () => controllerOn(api, log).run(stop.signal),
  })
  return {
    server,
    connection,
    async close() {
      stopRenewing()
      stop.abort()
      await running
      api.close()
      await store.close()
    },
  }
}

/** The folder has one owner, so that nobody else can lead: after a crash we go on at once. */
function controllerOn(api: Api, log: Log): Controller {
  return new Controller({
    api,
    settings,
    clock: systemClock,
    random: Math.random,
    timestamp,
    identity: 'berth-up',
    log,
  })
}
