// What do the libraries see when the server is killed and comes back? Nothing is lost, nothing that
// is there comes as new, and a moment that is forgotten is answered 410, from which they recover.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { clientOf, library, newNamespace } from './clientNode.ts'
import { type Server, startServer } from './server.ts'

let server: Server
let client: ReturnType<typeof clientOf>
beforeAll(async () => {
  if (library === undefined) return
  server = await startServer()
  client = clientOf(server.kubeconfig)
})
afterAll(async () => {
  await server?.stop()
})

const create = (namespace: string, name: string) =>
  client.core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } })

/** Who watches one namespace does not hear of it, so that its moment is forgotten after a crash. */
async function newsElsewhere(): Promise<void> {
  const metadata = { generateName: 'news-' }
  await client.core.createNamespacedConfigMap({ namespace: 'default', body: { metadata } })
}

describe.skipIf(library === undefined)('after a crash', () => {
  test('an informer of client-node goes on', async () => {
    const { core, config, library: k8s } = client
    const namespace = await newNamespace(core)
    await create(namespace, 'a')
    const path = `/api/v1/namespaces/${namespace}/configmaps`
    const list = () => core.listNamespacedConfigMap({ namespace })
    const informer = k8s.makeInformer(config, path, list)
    const told: string[] = []
    for (const verb of ['add', 'update', 'delete']) {
      informer.on(verb, ({ metadata }) => told.push(`${verb} ${metadata.name}`))
    }
    // It does not begin again by itself: its documentation has this line.
    informer.on('error', () => void sleep(200).then(() => informer.start()))
    onTestFinished(() => informer.stop())
    await informer.start()
    await create(namespace, 'b')
    await until('what was before', () => (told.length === 2 ? true : undefined))
    await newsElsewhere()
    await server.crash()
    await create(namespace, 'c')
    await until('what came after', () => told[2])
    await core.deleteNamespacedConfigMap({ namespace, name: 'a' })
    await until('the removal', () => told[3])
    expect(told).toEqual(['add a', 'add b', 'add c', 'delete a'])
  })

  test('a moment that is forgotten is answered 410 in the stream', async () => {
    const { core, config, library: k8s } = client
    const namespace = await newNamespace(core)
    const { metadata } = await create(namespace, 'a')
    await newsElsewhere()
    await server.crash()
    const path = `/api/v1/namespaces/${namespace}/configmaps`
    const told: unknown[] = []
    const ended = new Promise((resolve, reject) => {
      const { resourceVersion } = metadata
      const tell = (type: string, object: unknown) => told.push([type, object])
      new k8s.Watch(config).watch(path, { resourceVersion }, tell, resolve).catch(reject)
    })
    expect(await ended).toBe(null)
    expect(told).toMatchObject([['ERROR', { kind: 'Status', code: 410, reason: 'Expired' }]])
  })

  test("an informer of Python's kubernetes goes on", async () => {
    const namespace = await newNamespace(client.core)
    await create(namespace, 'a')
    const told = follow(namespace)
    await until('what was before', () => told.find((line) => line === 'ADDED a'))
    await newsElsewhere()
    await server.crash()
    await create(namespace, 'b')
    await until('what came after', () => told.find((line) => line === 'ADDED b'))
    await client.core.deleteNamespacedConfigMap({ namespace, name: 'a' })
    await until('the removal', () => told.find((line) => line === 'DELETED a'))
    expect(told).toContain('ERROR 410')
    // What is there when it has listed again comes as changed, from this library.
    const changes = told.filter((line) => !/^(ERROR|MODIFIED)/.test(line))
    expect(changes).toEqual(['ADDED a', 'ADDED b', 'DELETED a'])
  })
})

/** What follow.py tells, while the test runs. */
function follow(namespace: string): readonly string[] {
  const python = join(inject('libraries'), 'python', 'bin', 'python')
  const env = { ...process.env, KUBECONFIG: server.kubeconfig, PYTHONDONTWRITEBYTECODE: '1' }
  const child: ChildProcess = spawn(python, ['-W', 'ignore', 'follow.py', namespace], {
    cwd: join(import.meta.dirname, 'python'),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const told: string[] = []
  if (child.stdout === null) throw new Error('nothing to read from')
  createInterface(child.stdout).on('line', (line) => {
    const { type, name }: { type: string; name: string | null } = JSON.parse(line)
    told.push(`${type} ${name}`)
  })
  return told
}
