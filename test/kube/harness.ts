// Real Kubernetes on loopback for as long as a test runs: etcd, API server and what else is asked for.
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Complete } from '../../src/core/model/completion.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import type { Connection } from '../../src/edge/kube/api/connection.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'
import { newAuthority } from './certificates.ts'
import { type Program, startProgram } from './program.ts'
import { until } from './waits.ts'

/** What a test needs to know; plain data, so that it can be handed to other processes. */
export type KubeAddress = {
  readonly server: string
  /** Trusted by whoever calls the server. */
  readonly caFile: string
  readonly etcd: string
  /** Gone when the server is; also holds the authority for client certificates. */
  readonly folder: string
  /** Of the embedded API, which makes its own; Kubernetes is told those of tokenOf. */
  readonly tokens?: Readonly<Record<User, string>>
}

export type Kube = KubeAddress & {
  readonly stopApi: (signal?: NodeJS.Signals) => Promise<void>
  /** On the same port and the same data. */
  readonly startApi: () => Promise<void>
  readonly stop: () => Promise<void>
}

export type KubeOptions = {
  readonly authorization?: 'RBAC' | 'AlwaysAllow'
  /** Controllers of kube-controller-manager; without any it is not started. */
  readonly controllers?: readonly string[]
  /**
   * Defines kinds before those begin: of later ones the garbage collector hears up to 30 s later, and
   * until then leaves what they owned.
   */
  readonly define?: (admin: Api) => Promise<void>
  /** Further flags of the API server. */
  readonly apiFlags?: readonly string[]
  /** What the embedded API asks before a Pod is made; Kubernetes asks a webhook. */
  readonly completePod?: Complete
  /** What is measured has to wait for the disk, as in a cluster; tests do not. */
  readonly etcdFlags?: readonly string[]
}

/** admin may do everything, engine runs the controllers; the others may do what RBAC gives them. */
export const users = ['admin', 'engine', 'berth', 'reader', 'nobody'] as const
export type User = (typeof users)[number]

export const tokenOf = (user: User): string => `token-of-${user}`

/** Whatever the engine. */
export const tokenAt = ({ tokens }: KubeAddress, user: User): string =>
  tokens?.[user] ?? tokenOf(user)

export function connectionFor(address: KubeAddress, user: User): Connection {
  const { server, caFile } = address
  return {
    server: new URL(server),
    proxy: undefined,
    trust: { ca: { file: caFile }, isChecked: true, serverName: undefined },
    credentials: writtenCredentials({ token: { text: tokenAt(address, user) } }),
    headers: {},
    namespace: 'default',
  }
}

/** A kubeconfig is YAML, and JSON is YAML. */
export function kubeconfigFor(address: KubeAddress, user: User): string {
  const cluster = { server: address.server, 'certificate-authority': address.caFile }
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: user, user: { token: tokenAt(address, user) } }],
    contexts: [{ name: user, context: { cluster: 'test', user } }],
    'current-context': user,
  })
}

export type Engine = { readonly folder: string } | { readonly why: string }

/** The same suites run on both; which one is said by who starts them. */
export const isEmbedded = process.env['BERTH_ENGINE'] === 'embedded'

/** Built once, with further programs beside it. */
export function findEngine(further: readonly string[] = []): Engine {
  if (isEmbedded) return { folder: '' }
  const build = [join(import.meta.dirname, 'engine', 'build.sh'), ...further]
  const { status, stdout, stderr, error } = spawnSync('bash', build, { encoding: 'utf8' })
  if (status === 0) return { folder: stdout.trim() }
  const lastLine = stderr
    .trim()
    .split('\n')
    .at(-1)
    ?.replace(/^.*: line \d+: /, '')
  return { why: error?.message ?? lastLine ?? 'build.sh failed' }
}

/** Ends once the API server is ready; whatever fails before leaves nothing behind. */
export async function startKube(engine: string, options: KubeOptions = {}): Promise<Kube> {
  if (isEmbedded) {
    const kube = await (await import('./embedded.ts')).startEmbedded(options)
    await defineOn(kube, options)
    return kube
  }
  const folder = mkdtempSync(join(tmpdir(), 'berth-kube-'))
  const programs = new Map<string, Program>()
  const start = (name: string, args: readonly string[]): Program => {
    const program = startProgram({ name, path: join(engine, name), args, folder })
    programs.set(name, program)
    return program
  }
  const stop = async (): Promise<void> => {
    await Promise.all([...programs.values()].map((program) => program.stop()))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const etcd = await startEtcd(start, folder, options)
    const [port = 0] = await freePorts(1)
    writeSecrets(folder)
    const address: KubeAddress = {
      server: `https://127.0.0.1:${port}`,
      caFile: join(folder, 'certs', 'apiserver.crt'),
      etcd,
      folder,
    }
    const startApi = async (): Promise<void> => {
      const program = start('kube-apiserver', apiArgs(address, port, options))
      await until('kube-apiserver is ready', () => readyOf(address, program), 60_000)
    }
    await startApi()
    const { controllers = [] } = options
    await defineOn(address, options)
    if (controllers.length > 0) startControllers(start, address, controllers)
    const stopApi = async (signal?: NodeJS.Signals): Promise<void> => {
      await programs.get('kube-apiserver')?.stop(signal)
    }
    return { ...address, startApi, stopApi, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function defineOn(address: KubeAddress, { define }: KubeOptions): Promise<void> {
  const admin = newApi(connectionFor(address, 'admin'))
  await define?.(admin)
  admin.close()
}

type StartNamed = (name: string, args: readonly string[]) => Program

async function startEtcd(
  start: StartNamed,
  folder: string,
  { etcdFlags = ['--unsafe-no-fsync'] }: KubeOptions,
): Promise<string> {
  const [client = 0, peer = 0] = await freePorts(2)
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  start('etcd', [
    `--data-dir=${join(folder, 'etcd')}`,
    ...etcdFlags,
    '--log-level=warn',
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
  ])
  return clientUrl
}

function writeSecrets(folder: string): void {
  const masters = new Set<User>(['admin', 'engine'])
  const rows = users.map((user) => {
    const groups = masters.has(user) ? ',"system:masters"' : ''
    return `${tokenOf(user)},${user},uid-of-${user}${groups}\n`
  })
  writeFileSync(join(folder, 'tokens.csv'), rows.join(''))
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(folder, 'accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
  mkdirSync(join(folder, 'clients'))
  newAuthority(join(folder, 'clients'))
}

/** Limit ranges bypass the server's cache, so that what etcd forgets is forgotten at once. */
function apiArgs({ etcd, folder }: KubeAddress, port: number, options: KubeOptions): string[] {
  const { authorization = 'RBAC', apiFlags = [] } = options
  return [
    `--etcd-servers=${etcd}`,
    `--cert-dir=${join(folder, 'certs')}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--service-cluster-ip-range=10.96.0.0/12',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'accounts.key')}`,
    `--service-account-signing-key-file=${join(folder, 'accounts.key')}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    `--client-ca-file=${join(folder, 'clients', 'ca.crt')}`,
    `--authorization-mode=${authorization}`,
    '--watch-cache-sizes=limitranges#0',
    ...apiFlags,
  ]
}

function startControllers(
  start: StartNamed,
  address: KubeAddress,
  controllers: readonly string[],
): void {
  const kubeconfig = join(address.folder, 'engine.kubeconfig')
  writeFileSync(kubeconfig, kubeconfigFor(address, 'engine'))
  start('kube-controller-manager', [
    `--kubeconfig=${kubeconfig}`,
    `--controllers=${controllers.join(',')}`,
    `--service-account-private-key-file=${join(address.folder, 'accounts.key')}`,
    '--leader-elect=false',
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
    '--bind-address=127.0.0.1',
    '--secure-port=0',
  ])
}

/** True once it is; throws when the program is gone, since waiting any longer is pointless. */
async function readyOf({ server }: KubeAddress, program: Program): Promise<true | undefined> {
  if (program.hasEnded()) throw new Error(`${program.name} has ended:\n${program.lastWords()}`)
  const headers = { Authorization: `Bearer ${tokenOf('admin')}` }
  return new Promise((resolve) => {
    // Its certificate is being made while we ask.
    const asked = get(`${server}/readyz`, { headers, rejectUnauthorized: false, agent: false })
    asked.on('error', () => resolve(undefined))
    asked.on('response', (response) => {
      response.resume()
      resolve(response.statusCode === 200 ? true : undefined)
    })
  })
}

/** All are held until all are known, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = servers.map((server) => {
    const bound = server.address()
    return typeof bound === 'object' && bound !== null ? bound.port : 0
  })
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
