// How does the chosen context of a kubeconfig become a connection?
import type { Connection, Trust } from './connection.ts'
import { type Credentials, loadedCredentials, writtenCredentials } from './credentials.ts'
import { readExecPlugin, runExecPlugin } from './execPlugin.ts'
import { Fault } from './fault.ts'
import type { Chosen, Entry } from './kubeconfig.ts'
import { type Environment, parseProxy, proxyFor } from './proxy.ts'

export function kubeconfigConnection(chosen: Chosen, env: Environment): Connection {
  const { cluster, user, namespace } = chosen
  const server = serverOf(cluster)
  const proxy = cluster.fields.text('proxy-url')
  return {
    server,
    proxy: proxy === '' ? proxyFor(server, env) : parseProxy(proxy, 'kubeconfig: proxy-url'),
    trust: trustOf(cluster),
    credentials: credentialsOf(user, cluster, env),
    headers: impersonation(user),
    namespace,
  }
}

function serverOf({ fields }: Entry): URL {
  const text = fields.text('server')
  const server = URL.parse(text)
  if (server?.protocol === 'https:' || server?.protocol === 'http:') return server
  throw new Fault(
    `kubeconfig: the server ${JSON.stringify(text)} is not an https:// or http:// URL`,
  )
}

function trustOf(cluster: Entry): Trust {
  const ca = cluster.source('certificate-authority')
  const isChecked = cluster.fields.flag('insecure-skip-tls-verify') !== true
  if (ca !== undefined && !isChecked) {
    throw new Fault(
      'kubeconfig: certificate-authority and insecure-skip-tls-verify exclude each other',
    )
  }
  return { ca, isChecked, serverName: cluster.fields.text('tls-server-name') || undefined }
}

function credentialsOf(user: Entry, cluster: Entry, env: Environment): Credentials {
  const { fields } = user
  const [token, tokenFile] = [fields.text('token'), user.path('tokenFile')]
  const [username, password] = [fields.text('username'), fields.text('password')]
  const [cert, key] = [user.source('client-certificate'), user.source('client-key')]
  if ((cert === undefined) !== (key === undefined)) {
    throw new Fault('kubeconfig: client-certificate and client-key are needed together')
  }
  if (fields.has('auth-provider')) {
    throw new Fault('kubeconfig: auth-provider is not supported; use exec')
  }
  const isWritten = cert !== undefined || `${token}${tokenFile}${username}` !== ''
  if (fields.has('exec') && !isWritten) {
    const options = { env, cluster: clusterInfo(cluster) }
    const plugin = readExecPlugin(fields.inner('exec'), user.folder, options)
    return loadedCredentials(() => runExecPlugin(plugin))
  }
  return writtenCredentials({
    token: tokenFile !== '' ? { file: tokenFile } : token !== '' ? { text: token } : undefined,
    basic: username === '' ? undefined : { username, password },
    cert,
    key,
  })
}

/** For an exec plugin with provideClusterInfo. */
function clusterInfo({ fields }: Entry): Readonly<Record<string, unknown>> {
  const names = ['server', 'tls-server-name', 'certificate-authority-data', 'proxy-url']
  const written = names.filter((name) => fields.text(name) !== '')
  return {
    ...Object.fromEntries(written.map((name) => [name, fields.text(name)])),
    ...(fields.flag('insecure-skip-tls-verify') ? { 'insecure-skip-tls-verify': true } : {}),
  }
}

function impersonation({ fields }: Entry): Connection['headers'] {
  const extra = fields.inner('as-user-extra')
  const headers = {
    'Impersonate-User': fields.text('as'),
    'Impersonate-Uid': fields.text('as-uid'),
    'Impersonate-Group': fields.texts('as-groups'),
    ...Object.fromEntries(
      extra
        .names()
        .map((name) => [`Impersonate-Extra-${encodeURIComponent(name)}`, extra.texts(name)]),
    ),
  }
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value.length > 0))
}
