// Does the program itself hold on when its server forgets, its token ends or it is asked to end? Run
// as `berth controller`, by its own process and with nothing of it in ours.
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { newApi } from '../../src/edge/kube/api/client.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import { core, refusal, verbs } from './cluster.ts'
import { addressOf, asking, type Cluster, ownNamespace, pool, startCluster } from './controllers.ts'
import { connectionFor, type KubeAddress, tokenOf } from './harness.ts'
import { type Program, startProgram } from './program.ts'
import { wrongsAtRest } from './promiseOne.ts'
import { until } from './waits.ts'
import { newWire } from './wire.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const isHere = inject('kube') !== undefined
let cluster: Cluster
let services: ReturnType<typeof verbs>
let namespace = ''
let at = 0
let started = 0
const programs: Berth[] = []

type Berth = Program & { readonly isReady: () => Promise<boolean> }

beforeAll(async () => {
  if (isHere) cluster = await startCluster()
})
afterAll(async () => {
  await cluster?.stop()
})
beforeEach(async () => {
  if (!isHere) return
  namespace = `program-${++at}`
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: namespace } })
  await cluster.pools.create(pool(namespace, [`10.7.${at}.0/24`]))
  services = cluster.services(namespace)
})
afterEach(async () => {
  const ended = programs.splice(0)
  await Promise.all(ended.map((one) => one.stop('SIGTERM')))
  expect(ended.map(({ status }) => status())).toEqual(ended.map(() => 0))
  if (isHere) expect(await wrongsAtRest(cluster)).toEqual([])
})

/** Nobody else has it for now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const bound = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}

type User = { readonly token: string } | { readonly tokenFile: string }
const admin: User = { token: tokenOf('admin') }

function kubeconfigOf({ server, caFile }: KubeAddress, user: User): string {
  const file = join(cluster.kube.folder, `program-${started}.kubeconfig`)
  const config = {
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority': caFile } }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

async function start(address: KubeAddress, user: User = admin): Promise<Berth> {
  const kubeconfig = kubeconfigOf(address, user)
  const probes = await freePort()
  const flags = ['--port=0', `--health-probe-port=${probes}`, '--webhook-mode=disabled']
  const args = [main, 'controller', '--kubeconfig', kubeconfig, ...flags]
  const [name, { folder }] = [`program-${started++}`, cluster.kube]
  const berth: Berth = {
    ...startProgram({ name, path: process.execPath, args, folder }),
    isReady: () => fetch(`http://127.0.0.1:${probes}/readyz`).then(isOk, () => false),
  }
  programs.push(berth)
  return berth
}
const isOk = ({ ok }: Response): boolean => ok

const ready = ({ isReady }: Berth) =>
  until('it is ready', async () => ((await isReady()) ? true : undefined))
const says = ({ log }: Berth, what: RegExp) =>
  until(`it says ${what}`, () => (what.test(log()) ? true : undefined))
const create = (...names: readonly string[]) =>
  Promise.all(names.map((name) => services.create(asking(name, namespace))))
const addressesOf = (...names: readonly string[]) =>
  Promise.all(names.map((name) => addressOf(services, name)))

const leases = () =>
  verbs(cluster.admin, {
    group: 'coordination.k8s.io',
    version: 'v1',
    plural: 'leases',
    namespace: ownNamespace,
  })
const leaderNow = async (): Promise<string | undefined> => {
  const lease = await leases()
    .get('berth-controller')
    .catch(() => undefined)
  const holder = lease?.spec?.['holderIdentity']
  return typeof holder === 'string' && holder !== '' ? holder : undefined
}

describe.skipIf(!isHere)('the program', () => {
  test('asked to end it gives the lease back: another leads long before it would expire', async () => {
    const one = await start(cluster.kube)
    const first = await until('somebody leads', leaderNow)
    const other = await start(cluster.kube)
    await Promise.all([ready(one), ready(other)])
    await create('before')
    const [kept] = await addressesOf('before')
    expect(await leaderNow()).toBe(first)
    const ended = one.stop('SIGTERM')
    await create('after')
    const isAnother = async () => ((await leaderNow()) ?? first) !== first
    // 15 s after its last renewal it would be free anyway.
    await until('another leads', async () => ((await isAnother()) ? true : undefined), 8_000)
    await ended
    expect(one.status()).toBe(0)
    expect(await addressesOf('before', 'after')).toEqual([kept, expect.any(String)])
    expect(other.hasEnded()).toBe(false)
  })

  test('[P2] its watches are answered 410: it reads anew, and nothing has moved', async () => {
    const wire = await newWire(cluster.kube)
    const berth = await start(wire.address)
    await create('a', 'b', 'gone')
    const [a, b, gone = ''] = await addressesOf('a', 'b', 'gone')
    wire.cut()
    await services.remove('gone')
    await create('late')
    // Back with an empty memory, the server knows nothing of the moment we would go on from.
    await cluster.kube.stopApi()
    await cluster.kube.startApi()
    wire.mend()
    const late = await addressesOf('late')
    expect(berth.log()).toMatch(/services: 410 /)
    expect(await addressesOf('a', 'b')).toEqual([a, b])
    await until('the record is gone', async () => {
      const record = await cluster.addresses.get(gone).catch(() => undefined)
      const isHeld = record !== undefined && !late.includes(gone)
      return isHeld ? undefined : true
    })
    await berth.stop('SIGTERM')
    await wire.close()
  })
})

/** Tokens that end with a Secret, not with time: nobody has to wait for ten minutes. */
async function newAccount() {
  const accounts = core('serviceaccounts', ownNamespace)
  const secrets = verbs(cluster.admin, core('secrets', ownNamespace))
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterrolebindings' }
  await verbs(cluster.admin, accounts).create({ metadata: { name: 'berth' } })
  await verbs(cluster.admin, rbac).create({
    metadata: { name: 'berth-account' },
    roleRef: { apiGroup: rbac.group, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'berth', namespace: ownNamespace }],
  })
  return {
    async issue(name: string): Promise<string> {
      await secrets.create({ metadata: { name } })
      const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name }
      const { status } = (await cluster.admin.call({
        method: 'POST',
        path: pathOf(accounts, 'berth', 'token'),
        body: { spec: { boundObjectRef } },
      })) as { status: { token: string } }
      return status.token
    },
    /** Ends once the server refuses it; it remembers for some seconds whom it has let in. */
    async revoke(name: string, token: string): Promise<void> {
      await secrets.remove(name)
      const credentials = writtenCredentials({ token: { text: token } })
      const api = newApi({ ...connectionFor(cluster.kube, 'nobody'), credentials })
      const path = pathOf(core('nodes'))
      await until('the token is refused', async () => {
        const answer = api.call({ method: 'GET', path })
        return refusal(answer).then(
          ({ code }) => (code === 401 ? true : undefined),
          () => undefined,
        )
      })
      api.close()
    },
  }
}

describe.skipIf(!isHere)('the token', () => {
  test('[P2] ends, with and without a successor: it goes on with the next one', async () => {
    const { issue, revoke } = await newAccount()
    const tokenFile = join(cluster.kube.folder, 'token')
    const mount = (token: string): void => {
      writeFileSync(`${tokenFile}.new`, token)
      renameSync(`${tokenFile}.new`, tokenFile)
    }
    const first = await issue('first')
    mount(first)
    const wire = await newWire(cluster.kube)
    const berth = await start(wire.address, { tokenFile })
    await create('one')
    const [one] = await addressesOf('one')
    const second = await issue('second')
    mount(second)
    await revoke('first', first)
    await create('two')
    const [two] = await addressesOf('two')
    await revoke('second', second)
    // Whoever listens is not asked again: let it begin anew.
    wire.cut()
    wire.mend()
    await create('three')
    await says(berth, /services: 401 /)
    mount(await issue('third'))
    await addressesOf('three')
    expect(await addressesOf('one', 'two')).toEqual([one, two])
    await berth.stop('SIGTERM')
    await wire.close()
  })
})
