import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { loadedCredentials, writtenCredentials } from './credentials.ts'
import { type ExecPlugin, runExecPlugin } from './execPlugin.ts'
import { Fault } from './fault.ts'

const folder = mkdtempSync(join(tmpdir(), 'berth-credentials-'))
afterAll(() => rmSync(folder, { recursive: true }))

const credential = (authorization: string) => ({ authorization, certificate: undefined })

describe('credentials', () => {
  test('are loaded once for concurrent requests, and again when they expire', async () => {
    let loads = 0
    const lasting = (validForMs: number) =>
      loadedCredentials(async () => ({ credential: credential(`t${++loads}`), validForMs }))
    const long = lasting(60_000)
    const asked = await Promise.all([long.current(), long.current(), long.current()])
    expect(asked.map(({ authorization }) => authorization)).toEqual(['t1', 't1', 't1'])
    const short = lasting(-1)
    expect(await short.current()).toMatchObject({ authorization: 't2' })
    expect(await short.current()).toMatchObject({ authorization: 't3' })
  })

  test('are renewed once for all refused requests', async () => {
    let loads = 0
    const { current, renewed } = loadedCredentials(async () => ({
      credential: credential(`t${++loads}`),
      validForMs: 60_000,
    }))
    const refused = await current()
    const again = await Promise.all([renewed(refused), renewed(refused), renewed(refused)])
    expect(again.map((one) => one?.authorization)).toEqual(['t2', 't2', 't2'])
    expect(await renewed(refused)).toMatchObject({ authorization: 't2' })
    expect(loads).toBe(2)
  })

  test('that stay the same are not retried', async () => {
    const { current, renewed } = writtenCredentials({ token: { text: 'a' } })
    expect(await renewed(await current())).toBeUndefined()
  })

  test('a failure to load is not cached', async () => {
    const file = join(folder, 'token')
    const { current } = writtenCredentials({ token: { file } })
    await expect(current()).rejects.toThrow(Fault)
    writeFileSync(file, 'a\n')
    expect(await current()).toMatchObject({ authorization: 'Bearer a' })
  })
})

describe('an exec plugin', () => {
  const apiVersion = 'client.authentication.k8s.io/v1'
  const { PATH } = process.env
  const plugin = (script: string, change: Partial<ExecPlugin> = {}): ExecPlugin => ({
    command: 'sh',
    args: ['-c', script, 'plugin', 'argument'],
    env: { PATH },
    apiVersion,
    cluster: undefined,
    ...change,
  })
  const says = (status: object, change: object = {}): string =>
    `echo '${JSON.stringify({ apiVersion, kind: 'ExecCredential', status, ...change })}'`

  test('gives a token, or a certificate with its key, until it expires', async () => {
    const token = await runExecPlugin(plugin(says({ token: 'a' })))
    expect(token).toEqual({
      credential: { authorization: 'Bearer a', certificate: undefined },
      validForMs: Number.POSITIVE_INFINITY,
    })
    const pair = { clientCertificateData: 'c', clientKeyData: 'k' }
    const expirationTimestamp = new Date(Date.now() + 60_000).toISOString()
    const loaded = await runExecPlugin(plugin(says({ ...pair, expirationTimestamp })))
    expect(loaded.credential.certificate).toEqual({ cert: 'c', key: 'k' })
    expect(loaded.validForMs).toBeGreaterThan(30_000)
    expect(loaded.validForMs).toBeLessThanOrEqual(60_000)
  })

  test('gets the cluster information it requests', async () => {
    const file = join(folder, 'told')
    const script = `echo "$KUBERNETES_EXEC_INFO $OWN $1" >${file}; ${says({ token: 'a' })}`
    const cluster = { server: 'https://one' }
    await runExecPlugin(plugin(script, { env: { PATH, OWN: 'mine' }, cluster }))
    const spec = { interactive: false, cluster }
    const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec })
    expect(readFileSync(file, 'utf8')).toBe(`${info} mine argument\n`)
  })

  test.each([
    { script: 'exit 3', words: /ended by exit status 3/ },
    { script: 'kill -9 $$', words: /ended by SIGKILL/ },
    { script: 'echo no', words: /not JSON/ },
    { script: 'echo []', words: /not an object/ },
    { script: says({}), words: /neither a token nor a certificate/ },
    { script: says({ clientCertificateData: 'c' }), words: /neither a token nor a certificate/ },
    { script: says({ token: 'a' }, { kind: 'Other' }), words: /not an ExecCredential/ },
    { script: says({ token: 'a' }, { apiVersion: 'v0' }), words: /not an ExecCredential/ },
    { script: 'yes', words: /ended by SIGKILL/ },
  ])('that runs $script is a Fault', async ({ script, words }) => {
    const failure = await runExecPlugin(plugin(script)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Fault)
    expect(String(failure)).toMatch(words)
  })

  test('that does not exist is a Fault', async () => {
    const missing = plugin('', { command: join(folder, 'missing') })
    await expect(runExecPlugin(missing)).rejects.toThrow(/ENOENT/)
  })
})
