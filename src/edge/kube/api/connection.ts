// How do we reach the API server, and as whom? From kubeconfig files or the pod's service account.
import { readFile } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { Credentials } from './credentials.ts'
import { Fault, faultFrom } from './fault.ts'
import { inClusterConnection } from './inCluster.ts'
import { chooseContext, isEmpty, type KubeconfigFile, namesIn } from './kubeconfig.ts'
import { kubeconfigConnection } from './kubeconfigConnection.ts'
import type { Environment } from './proxy.ts'
import type { Source } from './source.ts'

export type Connection = {
  /** May have a path, below which the API is served. */
  readonly server: URL
  readonly proxy: URL | undefined
  readonly trust: Trust
  readonly credentials: Credentials
  /** Impersonation, sent with every request. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Of the context or the service account. */
  readonly namespace: string
}

export type Trust = {
  /** Absent: the certificates that Node trusts. */
  readonly ca: Source | undefined
  readonly isChecked: boolean
  /** The name in the certificate, if it differs from the URL's host. */
  readonly serverName: string | undefined
}

export type ConnectionOptions = {
  /** A file that must exist; otherwise those of KUBECONFIG, otherwise ~/.kube/config. */
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
  readonly env: Environment
  readonly home: string
  /** Also one that is loaded when it is first needed. */
  readonly parseYaml: (text: string) => unknown
  /** Where the pod's service account is mounted. */
  readonly serviceAccount?: string
}

/** No API server is configured. */
export class NoServerNamed extends Fault {
  override readonly name = 'NoServerNamed'
}

/** Searches like kubectl; a Fault says what is missing. */
export async function readConnection(options: ConnectionOptions): Promise<Connection> {
  const { kubeconfig = '', context = '', env, home } = options
  const files = await kubeconfigFiles(options)
  if (files.every(isEmpty) && kubeconfig === '' && context === '') {
    const account = await inClusterConnection(env, options.serviceAccount)
    if (account !== undefined) return account
    const place = env['KUBECONFIG'] || join(home, '.kube', 'config')
    const why = `there is no kubeconfig at ${place}, and this is not a pod`
    throw new NoServerNamed(`no API server is named: ${why}`)
  }
  return kubeconfigConnection(chooseContext(files, context), env)
}

/** Those that can be chosen. */
export const contextNames = async (options: ConnectionOptions): Promise<readonly string[]> =>
  namesIn(await kubeconfigFiles(options), 'contexts')

/** Missing files in a list are skipped, as by kubectl. */
async function kubeconfigFiles(options: ConnectionOptions): Promise<KubeconfigFile[]> {
  const { kubeconfig = '', env, home, parseYaml } = options
  if (kubeconfig !== '') return [await readKubeconfig(kubeconfig, parseYaml)]
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '')
  const files: KubeconfigFile[] = []
  for (const path of listed.length > 0 ? listed : [join(home, '.kube', 'config')]) {
    const file = await readIfThere(path, parseYaml)
    if (file !== undefined) files.push(file)
  }
  return files
}

async function readIfThere(
  path: string,
  parseYaml: ConnectionOptions['parseYaml'],
): Promise<KubeconfigFile | undefined> {
  try {
    return await readKubeconfig(path, parseYaml)
  } catch (error) {
    const cause = error instanceof Fault ? error.cause : undefined
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw error
  }
}

async function readKubeconfig(
  path: string,
  parseYaml: ConnectionOptions['parseYaml'],
): Promise<KubeconfigFile> {
  try {
    const json = await parseYaml(await readFile(path, 'utf8'))
    return { folder: resolve(dirname(path)), json }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing) throw new Fault(`kubeconfig ${path} does not exist`, { cause: error })
    throw faultFrom(error, `kubeconfig ${path}`)
  }
}
