// How does a pod reach its API server? With the service account that Kubernetes mounts.
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Connection } from './connection.ts'
import { writtenCredentials } from './credentials.ts'
import { type Environment, proxyFor } from './proxy.ts'

const mounted = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Undefined outside a pod. Token and certificate are read again whenever they are needed. */
export async function inClusterConnection(
  env: Environment,
  folder = mounted,
): Promise<Connection | undefined> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = env
  if (host === '' || port === '') return undefined
  const server = URL.parse(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`)
  if (server === null) return undefined
  return {
    server,
    proxy: proxyFor(server, env),
    trust: { ca: { file: join(folder, 'ca.crt') }, isChecked: true, serverName: undefined },
    credentials: writtenCredentials({ token: { file: join(folder, 'token') } }),
    headers: {},
    namespace: await ownNamespace(join(folder, 'namespace')),
  }
}

/** A manually mounted token may come without it. */
async function ownNamespace(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim() || 'default'
  } catch {
    return 'default'
  }
}
