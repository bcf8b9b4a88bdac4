// What do scenarios run on if they bring their own API? An embedded one with the controller, in a
// temporary folder; one for each kind of cluster that they need.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, timestamp } from '../../edge/host/clock.ts'
import { newApi } from '../../edge/kube/api/client.ts'
import { readConnection } from '../../edge/kube/api/connection.ts'
import { ServedKinds } from '../../edge/kube/api/servedKinds.ts'
import { yamlOrFault } from '../../edge/manifests/parseYaml.ts'
import { Objects } from '../../edge/store/storage/objects.ts'
import type { Target, Targets, Wants } from '../cli/scenarios/target.ts'
import { Controller } from '../controller/controller.ts'
import { openstack } from '../openstack/openstack.ts'
import { bringFirst } from './bring.ts'
import { folderAt, makeFolder } from './folder.ts'
import { OwnIdentity, serverNames } from './identity.ts'
import { thisMachine } from './machine.ts'
import { startStore } from './startStore.ts'
import { settings } from './startUp.ts'

const loopback = '127.0.0.1'
/** A live scenario mostly waits. */
const lanes = 8

export function embeddedTargets(log: (line: string) => void): Targets {
  const known = new Map<string, Promise<Target>>()
  let starting: Promise<unknown> = Promise.resolve()
  // Each takes the loop for a second or more: eight at once would not hear one another.
  const started = (wants: Wants): Promise<Target> => {
    const target = starting.then(() => startTarget(wants, log))
    starting = target.catch(() => undefined)
    return target
  }
  const get = (wants: Wants, lane: number): Promise<Target> => {
    const name = JSON.stringify([wants, lane])
    const target = known.get(name) ?? started(wants)
    known.set(name, target)
    return target
  }
  return {
    lanes,
    get,
    async discard(target) {
      for (const [name, one] of known) if ((await one) === target) known.delete(name)
      await target.close()
    },
    async close() {
      await Promise.all([...known.values()].map(async (one) => (await one).close()))
    },
  }
}

async function startTarget(wants: Wants, log: (line: string) => void): Promise<Target> {
  const root = mkdtempSync(join(tmpdir(), 'berth-test-'))
  const folder = folderAt(join(root, 'data'))
  makeFolder(folder)
  const identity = await OwnIdentity.open(folder, serverNames(loopback))
  const objects = Objects.open(folder.path, { isDurable: false })
  const store = await startStore({
    objects,
    listen: loopback,
    port: 0,
    keys: identity.keys,
    settings,
    build: 'test',
    failed: (error) => log(String(error)),
    ...wants,
  })
  const server = `https://${loopback}:${store.port}`
  identity.writeKubeconfig(server)
  const own = newApi(identity.connectionTo(server))
  await bringFirst(own, objects, { ...settings, isNode: true })
  // A scenario has only the nodes that it defines.
  const path = `/api/v1/nodes/${thisMachine().hostname}`
  await own.call({ method: 'DELETE', path, answer: 'none' })
  const { kubeconfig } = folder
  const api = newApi(
    await readConnection({ kubeconfig, env: {}, home: '', parseYaml: yamlOrFault }),
  )
  const program = controllerOn(own, log)
  await program.start()
  return {
    api,
    served: new ServedKinds(api),
    isOwn: true,
    namespaces: new Set(),
    progress: async () => program.progress(),
    controller: program,
    async close() {
      await program.stop()
      for (const one of [api, own]) one.close()
      await store.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function controllerOn(api: ReturnType<typeof newApi>, log: (line: string) => void) {
  let running: { controller: Controller; stop: AbortController; ended: Promise<void> } | undefined
  return {
    progress: () => running?.controller.progress() ?? { isQuiet: false, seen: {} },
    async start(): Promise<void> {
      const stop = new AbortController()
      const controller = new Controller({
        api,
        settings,
        clock: systemClock,
        random: Math.random,
        timestamp,
        identity: 'berth-test',
        extensions: [openstack('auto')],
        log: (entry) => log(JSON.stringify(entry)),
      })
      running = { controller, stop, ended: controller.run(stop.signal) }
    },
    async stop(): Promise<void> {
      running?.stop.abort()
      await running?.ended
      running = undefined
    },
  }
}
