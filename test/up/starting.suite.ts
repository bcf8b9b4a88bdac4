// What does a user see who starts, stops and starts again? One instance, where it was, soon.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { whoRuns } from '../../src/app/up/running.ts'
import { isAlive } from '../../src/edge/host/process.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { configMap, core, type KubeObject, loadBalancer, verbs } from '../kube/cluster.ts'
import { until } from '../kube/waits.ts'
import { apiOf, berth, newData, startUp } from './berth.ts'
import { asking, secureSocket } from './sockets.ts'

test('in the background and down again, each as often as one likes', async () => {
  const folder = newData()
  const args = ['--data', folder.path, '--port', '0']
  expect(await berth('down', '--data', folder.path)).toMatchObject({
    status: 0,
    out: `nothing runs on ${folder.path}\n`,
  })
  const first = await berth('up', ...args, '--background')
  expect(first).toMatchObject({ status: 0, err: '' })
  const running = whoRuns(folder)
  if (running === undefined) throw new Error('nothing runs')
  expect(first.out).toContain(`API         ${running.server}\n`)
  const again = await berth('up', ...args, '--background')
  expect(again).toMatchObject({ status: 0, err: '' })
  expect(again.out).toContain(`already up: ${running.server}`)
  const { port } = new URL(running.server)
  const same = await berth('up', '--data', folder.path, '--port', port, '--background')
  expect(same).toMatchObject({ status: 0, err: '' })
  const other = ['--port', '1', '--listen', '127.0.0.2']
  expect(await berth('up', '--data', folder.path, ...other, '--background')).toEqual({
    status: 1,
    out: '',
    err:
      `berth: already running on ${folder.path}, as ${running.server}: --port 1 and --listen ` +
      `127.0.0.2 cannot be applied. Stop it first with 'berth down --data ${folder.path}'\n`,
  })
  const second = await berth('up', ...args)
  expect(second).toMatchObject({ status: 1, out: '' })
  expect(second.err).toContain(`already running on ${folder.path}: process ${running.pid}`)
  const api = await apiOf(folder.kubeconfig)
  await verbs(api, core('configmaps', 'default')).create(configMap('kept'))
  api.close()
  const down = await berth('down', '--data', folder.path)
  expect(down).toMatchObject({ status: 0, out: `stopped: process ${running.pid}\n` })
  // Gone, and not only about to go: the folder could be unmounted.
  expect(isAlive(running)).toBe(false)
})

test('what was said in the background stays; a long log becomes the one before', async () => {
  const folder = newData()
  const args = ['up', '--data', folder.path, '--port', '0', '--background']
  const text = (name: string) => readFileSync(join(folder.path, name), 'utf8')
  const start = async (): Promise<string> => {
    const { out } = await berth(...args)
    await berth('down', '--data', folder.path)
    return out
  }
  const [first, second] = [await start(), await start()]
  expect(first).toMatch(/^API {9}https:/)
  expect(second).toMatch(/^API {9}https:/)
  expect(text('up.log').match(/^started at 2/gm)).toHaveLength(2)
  expect(text('up.log').match(/^API {9}https:/gm)).toHaveLength(2)
  appendFileSync(folder.log, `${'x'.repeat(5_000_000)}\n`)
  expect(await start()).toMatch(/^API {9}https:/)
  expect(text('up.log').match(/^API {9}https:/gm)).toHaveLength(1)
  expect(text('up.log.1').match(/^API {9}https:/gm)).toHaveLength(2)
})

test.each(['token', 'backup /tmp/never-made.db'])('%s says when nothing runs', async (verb) => {
  const { path } = newData()
  const ran = await berth(...verb.split(' '), '--data', path)
  expect(ran).toMatchObject({ status: 1, out: '' })
  expect(ran.err).toMatch(/^berth: nothing (runs on|is kept in) /)
})

test('two that start at once: one runs, the other says so', async () => {
  const folder = newData()
  const args = ['up', '--data', folder.path, '--port', '0', '--background']
  const both = await Promise.all([berth(...args), berth(...args)])
  const running = whoRuns(folder)
  expect(running).toBeDefined()
  for (const { status, out, err } of both) {
    if (status === 0) expect(out).toContain(running?.server)
    else expect(err).toMatch(/another berth process uses it|already running/)
  }
  expect(both.map(({ status }) => status)).toContain(0)
  // The keys on disk are those of the one that runs.
  const api = await apiOf(folder.kubeconfig)
  await verbs(api, core('nodes')).list()
  api.close()
  expect(await berth('down', '--data', folder.path)).toMatchObject({ status: 0 })
})

test('a second start goes on where the first was, and writes nothing', async () => {
  const folder = newData()
  const pool = join(folder.path, '..', 'pool.yaml')
  writeFileSync(pool, poolYaml)
  const first = await startUp(folder, '--with', pool)
  const services = verbs(first.api, core('services', 'default'))
  await services.create(loadBalancer('web'))
  await until('it has an address', async () => addressIn(await services.get('web')) || undefined)
  // What the controller tells of the pool and of itself comes after that.
  await until('all is told', async () => (await isTold(first.api)) || undefined)
  await until('it is at rest', () => isAtRest(first.api))
  const before = await versionsOf(first.api)
  await first.stop('SIGTERM')
  expect(first.program.status()).toBe(0)
  const second = await startUp(folder)
  await until('the controller leads', async () => (await holderOf(second.api)) || undefined)
  await until('it is at rest', () => isAtRest(second.api))
  expect(await versionsOf(second.api)).toEqual(before)
  const again = verbs(second.api, core('services', 'default'))
  await again.create(loadBalancer('next'))
  await until('so has the next', async () => addressIn(await again.get('next')) || undefined)
  expect(addressIn(await again.get('next'))).not.toBe(addressIn(await again.get('web')))
  await second.stop('SIGTERM')
})

/** All but leases, which are renewed, and events. */
const collections = [
  ...['services', 'nodes', 'namespaces', 'configmaps', 'secrets'].map((plural) => core(plural)),
  { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' },
  { group: 'metallb.io', version: 'v1beta1', plural: 'ipaddresspools' },
  { group: 'metallb.io', version: 'v1beta1', plural: 'configurationstates' },
  { group: 'berth.dev', version: 'v1alpha1', plural: 'addresses' },
]

async function versionsOf(api: Api): Promise<string[]> {
  const versions: string[] = []
  for (const resource of collections) {
    for (const { metadata } of (await verbs(api, resource).list()).items) {
      versions.push(`${resource.plural} ${metadata.name} ${metadata.resourceVersion}`)
    }
  }
  return versions
}

async function isTold(api: Api): Promise<boolean> {
  const of = (plural: string) =>
    verbs(api, { group: 'metallb.io', version: 'v1beta1', plural, namespace: 'metallb-system' })
  const { status } = await of('ipaddresspools').get('first')
  const { items } = await of('configurationstates').list()
  return status?.['assignedIPv4'] === 1 && items.some((one) => one.status !== undefined)
}

/** Nothing changes for longer than two rounds of the controller. */
async function isAtRest(api: Api): Promise<true | undefined> {
  const before = await versionsOf(api)
  await sleep(2_500)
  return isDeepStrictEqual(await versionsOf(api), before) ? true : undefined
}

async function holderOf(api: Api): Promise<string> {
  const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' }
  const { items } = await verbs(api, { ...leases, namespace: 'metallb-system' }).list()
  return String(items[0]?.spec?.['holderIdentity'] ?? '')
}

const poolYaml = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: first, namespace: metallb-system }
spec: { addresses: [192.0.2.10-192.0.2.20] }
`

function addressIn({ status }: KubeObject): string {
  const [, ip = ''] = /"ip":"([^"]+)"/.exec(JSON.stringify(status)) ?? []
  return ip
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it soon, whoever is connected',
  async (signal) => {
    const up = await startUp(newData())
    const maps = '/api/v1/configmaps'
    const silent = await secureSocket(up)
    const [watching, deaf, half] = [
      await secureSocket(up),
      await secureSocket(up),
      await secureSocket(up),
    ]
    watching.write(asking(`${maps}?watch=1`))
    const told: string[] = []
    watching.on('data', (chunk: Buffer) => told.push(String(chunk)))
    deaf.pause()
    deaf.write(asking(`${maps}?watch=1`))
    half.write(asking(maps, 'POST', 'Content-Length: 9\r\n'))
    await until('it watches', () => (told.length > 0 ? true : undefined))
    await up.stop(signal)
    expect(up.program.status()).toBe(0)
    // The last chunk: a complete answer, so that clients go on from where they were.
    await until('the last chunk', () => /\r\n0\r\n\r\n$/.test(told.join('')) || undefined)
    silent.destroy()
  },
)

test('after a clean stop a watch goes on from where it was, without listing again', async () => {
  const folder = newData()
  const first = await startUp(folder)
  const versions: string[] = []
  const follow = async (api: Api, query: object): Promise<void> => {
    const path = '/api/v1/namespaces/default/configmaps'
    const asked = { watch: 'true', allowWatchBookmarks: 'true', ...query }
    for await (const line of api.stream({ method: 'GET', path, query: asked })) {
      const { type, object } = JSON.parse(line)
      expect(type).not.toBe('ERROR')
      versions.push(`${type} ${object.metadata.name ?? ''} ${object.metadata.resourceVersion}`)
    }
  }
  const watching = follow(first.api, { resourceVersion: '0' })
  await verbs(first.api, core('configmaps', 'default')).create(configMap('a'))
  await until('it is told', () => versions.find((told) => told.startsWith('ADDED a')))
  await first.stop('SIGTERM')
  await watching.catch(() => undefined)
  const [, , resourceVersion = ''] = versions.at(-1)?.split(' ') ?? []
  expect(versions.at(-1)).toMatch(/^BOOKMARK/)
  const second = await startUp(folder)
  const { metadata } = await verbs(second.api, core('configmaps', 'default')).create(configMap('b'))
  await follow(second.api, { resourceVersion, timeoutSeconds: '1' })
  expect(versions).toContain(`ADDED b ${metadata.resourceVersion}`)
  expect(versions.filter((told) => told.startsWith('ADDED a'))).toHaveLength(1)
  await second.stop('SIGTERM')
})

test('a port that is taken is told, with what to do; nothing is left behind', async () => {
  const folder = newData()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const bound = taken.address()
  const port = typeof bound === 'object' && bound !== null ? String(bound.port) : ''
  for (const way of [[], ['--background']]) {
    const { status, err } = await berth('up', '--data', folder.path, '--port', port, ...way)
    expect(status).toBe(1)
    expect(err).toMatch(
      /^berth: the API cannot be served on 127\.0\.0\.1 port \d+ \(--listen, --port\)/,
    )
    expect(err).toContain('EADDRINUSE')
    expect(existsSync(folder.path)).toBe(false)
  }
  taken.close()
  const up = await startUp(folder)
  await up.stop('SIGTERM')
})

test.each([
  ['--port', '70000', 'a number from 0 to 65535'],
  ['--listen', '192.0.2.1', 'EADDRNOTAVAIL'],
  ['--listen', 'no-such-host.invalid', 'ENOTFOUND'],
  ['--restore', '/no/such/backup', 'no such file'],
])('%s %s is refused: %s', async (flag, value, why) => {
  const folder = newData()
  const { status, err } = await berth('up', '--data', folder.path, '--port', '0', flag, value)
  expect(status).toBe(1)
  expect(err).toMatch(/^berth: /)
  expect(err).toContain(why)
  expect(err).not.toMatch(/^ +at /m)
  expect(existsSync(folder.path)).toBe(false)
})

test.each([
  ['0.0.0.0', 'warns'],
  ['::', 'warns'],
  ['127.0.0.2', 'does not warn'],
  ['::1', 'does not warn'],
  ['0:0:0:0:0:0:0:1', 'does not warn'],
])('--listen %s answers there and %s', async (address, warns) => {
  const up = await startUp(newData(), '--listen', address)
  const isWarned = up.program.log().includes('anyone who can reach it can try to log in')
  expect(isWarned).toBe(warns === 'warns')
  await verbs(up.api, core('nodes')).list()
  await up.stop('SIGTERM')
})

test('--with applies what it can, and tells of the rest where it is', async () => {
  const folder = newData()
  const manifests = join(folder.path, '..', 'manifests')
  mkdirSync(manifests)
  writeFileSync(join(manifests, 'a-good.yaml'), poolYaml)
  writeFileSync(join(manifests, 'b-torn.yaml'), 'apiVersion: v1\nkind: [\n')
  const bad = poolYaml.replace('first', 'second').replace('192.0.2.10-192.0.2.20', 'nonsense')
  writeFileSync(join(manifests, 'c-refused.yaml'), `${webYaml}---\n${bad}`)
  writeFileSync(
    join(manifests, 'd-unknown.yaml'),
    'apiVersion: a.b/v1\nkind: C\nmetadata: {name: d}\n',
  )
  const missing = join(manifests, 'nothing')
  const refused = await berth('up', '--data', folder.path, '--with', manifests, '--with', missing)
  expect(refused).toMatchObject({ status: 1, err: expect.stringMatching(/nothing: no such file/) })
  const up = await startUp(folder, '--with', manifests)
  const said = up.program.log()
  expect(said).toContain('applied     2 objects')
  expect(said).toMatch(/b-torn\.yaml:[23]: /)
  expect(said).toMatch(/c-refused\.yaml:8: IPAddressPool metallb-system\/second: .*nonsense/)
  expect(said).toMatch(/d-unknown\.yaml:1: C d: this API does not serve C of a\.b\/v1/)
  const service = await until('it has an address', async () => {
    const found = await verbs(up.api, core('services', 'default')).get('web')
    return addressIn(found) === '' ? undefined : found
  })
  expect(addressIn(service)).toBe('192.0.2.10')
  await up.stop('SIGTERM')
})

const webYaml = `apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  type: LoadBalancer
  ports: [{ port: 80 }]
`
