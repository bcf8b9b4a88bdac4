// Which credential does an exec plugin return? client.authentication.k8s.io, run as by kubectl.
import { spawn } from 'node:child_process'
import { isAbsolute, join } from 'node:path'
import { Fields, isRecord } from '../decode/fields.ts'
import { bearer } from './authorization.ts'
import type { Credential, Loaded } from './credentials.ts'
import { Fault, faultFrom } from './fault.ts'

export type ExecPlugin = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly apiVersion: string
  /** The cluster information for the plugin, if it requests that. */
  readonly cluster: Readonly<Record<string, unknown>> | undefined
}

const versions = ['v1', 'v1beta1'].map((version) => `client.authentication.k8s.io/${version}`)
const timeoutMs = 60_000
const maxOutputBytes = 1024 * 1024

/** The user's entry in a kubeconfig; a relative command path is relative to that file. */
export function readExecPlugin(exec: Fields, folder: string, options: PluginOptions): ExecPlugin {
  const [command, apiVersion] = [exec.text('command'), exec.text('apiVersion')]
  if (command === '') throw new Fault('kubeconfig: exec has no command')
  if (!versions.includes(apiVersion)) {
    throw new Fault(`kubeconfig: exec apiVersion ${JSON.stringify(apiVersion)} is not supported`)
  }
  if (exec.text('interactiveMode') === 'Always') {
    throw new Fault(`kubeconfig: exec plugin ${command} needs a terminal, which is not available`)
  }
  const isRelative = command.includes('/') && !isAbsolute(command)
  const written = exec.each('env').map((entry) => [entry.text('name'), entry.text('value')])
  return {
    command: isRelative ? join(folder, command) : command,
    args: exec.texts('args'),
    env: { ...options.env, ...Object.fromEntries(written) },
    apiVersion,
    cluster: exec.flag('provideClusterInfo') === true ? options.cluster : undefined,
  }
}

type PluginOptions = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cluster: Readonly<Record<string, unknown>>
}

export async function runExecPlugin(plugin: ExecPlugin): Promise<Loaded> {
  const { command, apiVersion } = plugin
  const what = `exec plugin ${command}`
  const output = await outputOf(plugin, what)
  const json = parsed(output, what)
  const [object, status] = [new Fields(json, []), new Fields(json, []).inner('status')]
  if (object.text('kind') !== 'ExecCredential' || object.text('apiVersion') !== apiVersion) {
    throw new Fault(`${what}: the output is not an ExecCredential of ${apiVersion}`)
  }
  const [cert, key] = [status.text('clientCertificateData'), status.text('clientKeyData')]
  const authorization = bearer(status.text('token'))
  const credential: Credential = {
    authorization,
    certificate: cert !== '' && key !== '' ? { cert, key } : undefined,
  }
  if (authorization === undefined && credential.certificate === undefined) {
    throw new Fault(`${what}: returned neither a token nor a certificate with its key`)
  }
  return { credential, validForMs: validForMs(status.text('expirationTimestamp')) }
}

function validForMs(expiration: string): number {
  const at = Date.parse(expiration)
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : at - Date.now()
}

function parsed(output: string, what: string): unknown {
  try {
    const json: unknown = JSON.parse(output)
    if (isRecord(json)) return json
  } catch (error) {
    throw new Fault(`${what}: the output is not JSON`, { cause: error })
  }
  throw new Fault(`${what}: the output is not an object`)
}

/** The plugin's standard error goes to ours, as with kubectl. */
function outputOf({ command, args, env, apiVersion, cluster }: ExecPlugin, what: string) {
  const spec = { interactive: false, ...(cluster ? { cluster } : {}) }
  const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec })
  const child = spawn(command, args, {
    env: { ...env, KUBERNETES_EXEC_INFO: info },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Its children may live on and keep its output open, so the end of output may never come.
  const end = (): void => {
    child.kill('SIGKILL')
    child.stdout.destroy()
  }
  return new Promise<string>((resolve, reject) => {
    const timer = setTimeout(end, timeoutMs)
    const chunks: Uint8Array[] = []
    let bytes = 0
    child.stdout.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length
      if (bytes > maxOutputBytes) end()
      else chunks.push(chunk)
    })
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(faultFrom(error, what))
    })
    child.on('close', (status, signal) => {
      clearTimeout(timer)
      if (status === 0) return resolve(Buffer.concat(chunks).toString('utf8'))
      reject(new Fault(`${what}: ended by ${signal ?? `exit status ${status}`}`))
    })
  })
}
