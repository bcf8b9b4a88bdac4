// Who reads the metrics where they are secured? On real Kubernetes, under the shipped accounts and
// rights: those whose token may get /metrics, and nobody else.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { issue, newAuthority } from './certificates.ts'
import { findEngine, type Kube, startKube } from './harness.ts'
import { adminKubeconfig, definitionsEstablished, programAt, type Run } from './helm/programs.ts'
import { isSince } from './kubeVersion.ts'
import { type Program, startProgram } from './program.ts'
import { until } from './waits.ts'

const engine = findEngine()
/** A Deployment's policies are served since then; the overlay contains them. */
const isHere = inject('kube') !== undefined && 'folder' in engine && isSince(30)
const namespace = 'metallb-system'

let kube: Kube
let kubectl: Run
const ports = { controller: 0, speaker: 0 }
const programs: Program[] = []
let ca: string

beforeAll(async () => {
  if ('why' in engine || !isHere) return
  kube = await startKube(engine.folder, { controllers: ['serviceaccount-controller'] })
  kubectl = programAt(inject('kubectl'), kube.folder, adminKubeconfig(kube))
  kubectl('apply', '-k', 'deploy/kustomize/secure-metrics')
  await definitionsEstablished(kubectl)
  kubectl('create', 'namespace', 'monitoring')
  for (const name of ['prometheus', 'somebody']) {
    kubectl('create', 'serviceaccount', name, '-n', 'monitoring')
  }
  kubectl(
    ...['create', 'clusterrolebinding', 'prometheus-reads-berth'],
    ...['--clusterrole=berth-metrics-reader', '--serviceaccount=monitoring:prometheus'],
  )
  ca = await started()
}, 120_000)
afterAll(async () => {
  for (const program of programs) await program.stop('SIGTERM')
  await kube?.stop()
})

const tokenOf = (account: string, of: string): string =>
  kubectl('create', 'token', account, '-n', of).trim()

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const bound = server.address()
      server.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : 0))
    })
  })

/** The controller with a certificate that is given, the speaker with one of its own. */
async function started(): Promise<string> {
  const folder = join(kube.folder, 'metrics')
  mkdirSync(folder)
  const authority = newAuthority(folder)
  const { certFile, keyFile } = issue(authority, 'tls', '/CN=controller', 'IP:127.0.0.1')
  for (const file of [certFile, keyFile]) expect(file.startsWith(join(folder, 'tls.'))).toBe(true)
  const nothing = join(folder, 'excludel2.yaml')
  writeFileSync(nothing, 'announcedInterfacesToExclude: [".*"]\n')
  const extra = {
    controller: ['--webhook-mode=disabled'],
    speaker: ['--node-name=node-a', '--members=nodes', `--excluded-interfaces=${nothing}`],
  }
  const env = {
    controller: { BERTH_METRICS_CERT_DIR: folder },
    speaker: {},
  }
  for (const name of ['controller', 'speaker'] as const) {
    ports[name] = await freePort()
    programs.push(daemon(name, { args: extra[name], env: env[name] }))
  }
  return readFileSync(authority.certFile, 'utf8')
}

type Daemon = { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv }

/** With the account's token and the environment variable that kustomize sets. */
function daemon(name: 'controller' | 'speaker', { args, env }: Daemon): Program {
  const file = join(kube.folder, `${name}.secure.kubeconfig`)
  const cluster = { server: kube.server, 'certificate-authority': kube.caFile }
  const user = { token: tokenOf(`berth-${name}`, namespace) }
  const context = { cluster: 'test', user: 'pod' }
  writeFileSync(
    file,
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
      clusters: [{ name: 'test', cluster }],
      users: [{ name: 'pod', user }],
      contexts: [{ name: 'test', context }],
    }),
  )
  const ours = [`--kubeconfig=${file}`, `--namespace=${namespace}`]
  const served = [`--port=${ports[name]}`, '--health-probe-port=0']
  return startProgram({
    name: `secure-${name}`,
    path: process.execPath,
    args: ['src/main.ts', name, ...ours, ...served, ...args],
    folder: kube.folder,
    env: { ...process.env, BERTH_SECURE_METRICS: 'true', ...env },
  })
}

type Answer = { readonly status: number | undefined; readonly body: string }
type Asked = { readonly token?: string; readonly method?: string; readonly ca?: string }

function read(port: number, { token, method = 'GET', ca: trusted }: Asked): Promise<Answer> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const trust = trusted === undefined ? { rejectUnauthorized: false } : { ca: trusted }
  const to = { host: '127.0.0.1', port, path: '/metrics', method, headers, ...trust }
  return new Promise((resolve, reject) => {
    const asked = request({ ...to, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode, body: Buffer.concat(chunks).toString() }),
      )
    })
    asked.on('error', reject).end()
  })
}

const isServed = (name: 'controller' | 'speaker') =>
  until(`the ${name} serves metrics`, () =>
    read(ports[name], {}).then(
      () => true,
      () => undefined,
    ),
  )

describe.skipIf(!isHere).each(['controller', 'speaker'] as const)('of the %s', (name) => {
  const statusWith = async (asked: Asked) => (await read(ports[name], asked)).status

  test('an account with the right reads them', async () => {
    await isServed(name)
    const answer = await read(ports[name], { token: tokenOf('prometheus', 'monitoring') })
    expect(answer.status).toBe(200)
    expect(answer.body).toContain('metallb_k8s_client_config_loaded_bool')
  })

  test('an account without it is forbidden to, and is told its name', async () => {
    const answer = await read(ports[name], { token: tokenOf('somebody', 'monitoring') })
    expect(answer.status).toBe(403)
    expect(answer.body).toBe(
      'Forbidden: "system:serviceaccount:monitoring:somebody" may not get /metrics\n',
    )
  })

  test.each([
    { what: 'no token', token: undefined },
    { what: 'a token of nobody', token: 'nobody' },
    { what: 'a forged token', token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.x' },
  ])('with $what nothing is read', async ({ token }) => {
    expect(await statusWith(token === undefined ? {} : { token })).toBe(401)
  })

  test('a token of an account that was deleted does not count', async () => {
    kubectl('create', 'serviceaccount', `gone-${name}`, '-n', 'monitoring')
    const token = tokenOf(`gone-${name}`, 'monitoring')
    kubectl('delete', 'serviceaccount', `gone-${name}`, '-n', 'monitoring')
    await until('its token is refused', async () =>
      (await statusWith({ token })) === 401 ? true : undefined,
    )
  })

  test('the right to get is not one to do else', async () => {
    const token = tokenOf('prometheus', 'monitoring')
    expect(await statusWith({ token, method: 'POST' })).toBe(405)
    expect(await statusWith({ token, method: 'HEAD' })).toBe(403)
  })

  test('plain HTTP is not served', async () => {
    await expect(fetch(`http://127.0.0.1:${ports[name]}/metrics`)).rejects.toThrow()
  })

  test('an administrator reads them too', async () => {
    expect(await statusWith({ token: tokenOf('berth-controller', namespace) })).toBe(403)
    kubectl(
      ...['create', 'clusterrolebinding', `admin-of-${name}`],
      ...['--clusterrole=cluster-admin', `--serviceaccount=monitoring:admin-${name}`],
    )
    kubectl('create', 'serviceaccount', `admin-${name}`, '-n', 'monitoring')
    const token = tokenOf(`admin-${name}`, 'monitoring')
    expect(await statusWith({ token })).toBe(200)
  })
})

describe.skipIf(!isHere)('the certificate', () => {
  test('is the one that was given, and its successor once it is renewed', async () => {
    const token = tokenOf('prometheus', 'monitoring')
    expect((await read(ports.controller, { token, ca })).status).toBe(200)
    const folder = join(kube.folder, 'next')
    mkdirSync(folder)
    const next = newAuthority(folder)
    const pair = issue(next, 'tls', '/CN=next', 'IP:127.0.0.1')
    copyFileSync(pair.keyFile, join(kube.folder, 'metrics', 'tls.key'))
    copyFileSync(pair.certFile, join(kube.folder, 'metrics', 'tls.crt'))
    const trusted = readFileSync(next.certFile, 'utf8')
    await until('the new one is served', () =>
      read(ports.controller, { token, ca: trusted }).then(
        ({ status }) => status === 200 || undefined,
        () => undefined,
      ),
    )
  })

  test('without one, the speaker makes its own, which nobody can verify', async () => {
    await expect(read(ports.speaker, { ca })).rejects.toThrow()
    expect((await read(ports.speaker, {})).status).toBe(401)
  })
})

describe.skipIf(!isHere)('without the right to review', () => {
  test('nobody is let in, and the log says why, once', async () => {
    kubectl('delete', 'clusterrolebinding', 'berth-metrics-reviewer')
    const fresh = () => tokenOf('prometheus', 'monitoring')
    await until('nobody is let in', async () =>
      (await read(ports.speaker, { token: fresh() })).status === 500 ? true : undefined,
    )
    await read(ports.speaker, { token: fresh() })
    const said = programs[1]?.log().match(/token not reviewed.*/g) ?? []
    expect(said).toHaveLength(1)
    expect(said[0]).toContain('tokenreviews')
  })
})
