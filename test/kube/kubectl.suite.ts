// What people do with kubectl, done with the real one: each verb rests on more of the API than we do.
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { apiAs, contract, core, kube, merge, newNamespace, verbs } from './cluster.ts'
import { addresses, installCrds } from './crds.ts'
import { kubeconfigFor, type User } from './harness.ts'
import { kubeVersion } from './kubeVersion.ts'
import { until } from './waits.ts'

const admin = apiAs('admin')
const home = mkdtempSync(join(tmpdir(), 'berth-kubectl-home-'))
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))

type Said = { readonly code: number; readonly out: string; readonly err: string }

/** Written once: one kubectl may read it while another is about to start. */
function environment(user: User): NodeJS.ProcessEnv {
  const config = join(home, `${user}.kubeconfig`)
  if (!existsSync(config)) writeFileSync(config, kubeconfigFor(kube, user))
  const { PATH } = process.env
  return { PATH, HOME: home, KUBECONFIG: config }
}

type How = { readonly user?: User; readonly input?: unknown; readonly editor?: string }

function run(args: readonly string[], { user = 'admin', input, editor }: How = {}): Promise<Said> {
  const env = { ...environment(user), KUBE_EDITOR: editor }
  return new Promise((resolve) => {
    const child = execFile(
      inject('kubectl'),
      ['-n', namespace, ...args],
      { env },
      (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err })
      },
    )
    // It may have ended by then.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input === undefined ? '' : JSON.stringify(input))
  })
}

/** What it printed; it must have succeeded. */
async function kubectl(...args: readonly string[]): Promise<string> {
  return printed(await run(args))
}
function printed({ code, out, err }: Said): string {
  expect({ code, err }).toMatchObject({ code: 0 })
  return out
}
const apply = async (object: unknown, ...args: readonly string[]): Promise<string> =>
  printed(await run(['apply', ...args, '-f', '-'], { input: object }))

let namespace = ''
beforeAll(() => installCrds(admin))
beforeEach(async () => {
  namespace = await newNamespace(admin)
})

const service = (spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { type: 'LoadBalancer', ports: [{ name: 'http', port: 80 }], ...spec },
})
const pool = (...ranges: readonly string[]): object => ({
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name: 'p' },
  spec: { addresses: ranges },
})
const map = (data: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', labels: { tier: 'front' } },
  data,
})
const rows = (table: string): string[][] =>
  table
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/\s{2,}/))

contract('kubectl', () => {
  test('[C110] version and api-resources: our kinds, their groups, scopes and verbs', async () => {
    const version = JSON.parse(await kubectl('version', '-o', 'json'))
    expect(version.serverVersion.gitVersion).toBe(kubeVersion)
    const kinds = rows(await kubectl('api-resources', '--api-group=metallb.io', '-o', 'wide'))
    const found = kinds.find(([name]) => name === 'ipaddresspools')
    expect(found?.slice(1, 4)).toEqual(['metallb.io/v1beta1', 'true', 'IPAddressPool'])
    const all = 'delete,deletecollection,get,list,patch,create,update,watch'
    expect(found?.[4]?.split(',').sort()).toEqual(all.split(',').sort())
    const own = rows(await kubectl('api-resources', '--api-group=berth.dev', '--no-headers'))
    expect(own).toContainEqual(['addresses', 'berth.dev/v1alpha1', 'false', 'Address'])
  })

  test('[C111] get: tables, wide tables, names, selectors, all namespaces', async () => {
    await apply(service())
    await apply(map())
    const [head, row] = rows(await kubectl('get', 'service'))
    expect(head).toEqual(['NAME', 'TYPE', 'CLUSTER-IP', 'EXTERNAL-IP', 'PORT(S)', 'AGE'])
    expect(row).toMatchObject({ 0: 'web', 1: 'LoadBalancer', 3: '<pending>' })
    const [wide] = rows(await kubectl('get', 'svc', 'web', '-o', 'wide'))
    expect(wide?.at(-1)).toBe('SELECTOR')
    const several = await kubectl('get', 'svc,cm', '-o', 'name')
    expect(several.split('\n')).toEqual(expect.arrayContaining(['service/web', 'configmap/m']))
    expect(await kubectl('get', 'cm', '-l', 'tier=front', '-o', 'name')).toBe('configmap/m\n')
    expect(await kubectl('get', 'cm', '-l', 'tier=back', '-o', 'name')).toBe('')
    const selector = '--field-selector=metadata.name=web'
    const [everywhere] = rows(await kubectl('get', 'svc', '-A', selector, '--no-headers'))
    expect(everywhere?.[1]).toBe('web')
  })

  test('[C112] get -o json, yaml and jsonpath: the object as it is', async () => {
    await apply(pool('192.0.2.0/24'))
    const json = JSON.parse(await kubectl('get', 'ipaddresspools', 'p', '-o', 'json'))
    expect(json).toMatchObject({ kind: 'IPAddressPool', spec: { autoAssign: true } })
    expect(await kubectl('get', 'ipaddresspool/p', '-o', 'yaml')).toContain('- 192.0.2.0/24\n')
    const path = '-o=jsonpath={.spec.addresses[0]}'
    expect(await kubectl('get', 'ipaddresspools', 'p', path)).toBe('192.0.2.0/24')
    const { code, err } = await run(['get', 'ipaddresspools', 'q'])
    expect(code).toBe(1)
    expect(err).toContain('Error from server (NotFound): ipaddresspools.metallb.io "q" not found')
  })

  test('[C113] get addresses: who holds what', async () => {
    const holders = [{ kind: 'Service', namespace: 'shop', name: 'web' }]
    const spec = { address: '192.0.2.33', pool: 'p', holders }
    const held = verbs(admin, addresses)
    onTestFinished(async () => {
      await held.remove('192.0.2.33')
    })
    await apply({
      apiVersion: 'berth.dev/v1alpha1',
      kind: 'Address',
      metadata: { name: '192.0.2.33' },
      spec,
    })
    const [head, row] = rows(await kubectl('get', 'addresses', '192.0.2.33'))
    const columns = [
      'NAME',
      'ADDRESS',
      'POOL',
      'HOLDER',
      'NAMESPACE',
      'SHARED WITH',
      'RESERVED FOR',
      'AGE',
    ]
    expect(head).toEqual(columns)
    expect(row?.slice(0, 5)).toEqual(['192.0.2.33', '192.0.2.33', 'p', 'web', 'shop'])
  })

  test('[C114] get --watch: what is there, then every change', async () => {
    await apply(map({ x: '1' }))
    const args = ['-n', namespace, 'get', 'cm', 'm', '--watch', '-o', 'jsonpath={.data.x}{"\\n"}']
    const child = spawn(inject('kubectl'), args, { env: environment('admin') })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    await until('the first line', () => (out.startsWith('1\n') ? true : undefined))
    const maps = verbs(admin, core('configmaps', namespace))
    for (const x of ['2', '3']) await maps.patch('m', { type: merge, body: { data: { x } } })
    await until(`the changes, after ${out}`, () => (out === '1\n2\n3\n' ? true : undefined))
  })

  test('[C115] describe: the object and its events', async () => {
    await apply(service())
    const { metadata } = await verbs(admin, core('services', namespace)).get('web')
    await verbs(admin, core('events', namespace)).create({
      metadata: { generateName: 'web.' },
      // Without its apiVersion the event is not found by `kubectl events --for`.
      involvedObject: {
        apiVersion: 'v1',
        kind: 'Service',
        namespace,
        name: 'web',
        uid: metadata.uid,
      },
      type: 'Normal',
      reason: 'IPAllocated',
      message: 'Assigned IP ["192.0.2.1"]',
      count: 1,
    })
    const text = await kubectl('describe', 'service', 'web')
    expect(text).toMatch(/^Type: +LoadBalancer$/m)
    expect(text).toMatch(/IPAllocated .*Assigned IP/)
    await apply(pool('192.0.2.0/24'))
    expect(await kubectl('describe', 'ipaddresspool', 'p')).toMatch(/Auto Assign: +true/)
    expect(await kubectl('events', '--for', 'service/web')).toContain('Assigned IP')
  })

  test('[C116] apply: created, unchanged, configured; what is no longer written goes', async () => {
    const two = [
      { name: 'http', port: 80 },
      { name: 'https', port: 443 },
    ]
    expect(await apply(service({ ports: two, selector: { a: '1' } }))).toContain('created')
    const again = await apply(service({ ports: two, selector: { a: '1' } }))
    expect(again).toContain('unchanged')
    const changed = service({ ports: [{ name: 'http', port: 8080 }] })
    expect(await apply(changed)).toContain('configured')
    const { spec } = await verbs(admin, core('services', namespace)).get('web')
    expect(spec?.['ports']).toMatchObject([{ name: 'http', port: 8080 }])
    expect(spec).not.toHaveProperty('selector')
    expect(await apply(pool('192.0.2.0/24', '198.51.100.0/24'))).toContain('created')
    expect(await apply(pool('198.51.100.0/24'))).toContain('configured')
    expect(await apply(pool('198.51.100.0/24'))).toContain('unchanged')
    const path = '-o=jsonpath={.spec.addresses}'
    expect(await kubectl('get', 'ipaddresspool', 'p', path)).toBe('["198.51.100.0/24"]')
  })

  test('[C117] apply refuses fields that the server does not know', async () => {
    const wrong = { ...pool('192.0.2.0/24'), spec: { addresses: [], colour: 'red' } }
    const { code, err } = await run(['apply', '-f', '-'], { input: wrong })
    expect(code).toBe(1)
    expect(err).toContain('strict decoding error: unknown field "spec.colour"')
  })

  test('[C118] apply --server-side: conflicts are named, and may be forced', async () => {
    const mine = ['--server-side', '--field-manager=mine']
    expect(await apply(map({ x: '1' }), ...mine)).toContain('serverside-applied')
    const theirs = ['apply', '--server-side', '--field-manager=theirs', '-f', '-']
    const refused = await run(theirs, { input: map({ x: '2' }) })
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('conflict with "mine": .data.x')
    printed(await run([...theirs, '--force-conflicts'], { input: map({ x: '2' }) }))
    expect(await kubectl('get', 'cm', 'm', '-o=jsonpath={.data.x}')).toBe('2')
    const client = await apply(service())
    expect(client).toContain('created')
    expect(await apply(service({ selector: { a: '1' } }), '--server-side')).toContain('web')
  })

  test('[C119] diff: exit status 1 and the lines that change, 0 when none does', async () => {
    await apply(pool('192.0.2.0/24'))
    const input = pool('198.51.100.0/24')
    const { code, out } = await run(['diff', '-f', '-'], { input })
    expect(code).toBe(1)
    expect(out).toContain('-  - 192.0.2.0/24')
    expect(out).toContain('+  - 198.51.100.0/24')
    const same = await run(['diff', '-f', '-'], { input: pool('192.0.2.0/24') })
    expect(same).toMatchObject({ code: 0, out: '' })
  })

  test('[C120] create: namespaces, config maps and services, which it sends as protobuf', async () => {
    const name = `${namespace}-more`
    expect(await kubectl('create', 'namespace', name)).toContain('created')
    await kubectl('create', 'configmap', 'c', '--from-literal=x=1')
    await kubectl('create', 'service', 'loadbalancer', 's', '--tcp=80:8080')
    await kubectl('create', 'secret', 'generic', 'k', '--from-literal=password=x')
    const found = await kubectl('get', 'cm/c', 'svc/s', 'secret/k', '-o', 'name')
    expect(found).toBe('configmap/c\nservice/s\nsecret/k\n')
    await kubectl('delete', 'namespace', name, '--wait=false')
    const dry = ['create', 'configmap', 'd', '--dry-run=server', '-o', 'name']
    expect(await kubectl(...dry)).toBe('configmap/d\n')
    expect((await run(['get', 'cm', 'd'])).code).toBe(1)
    const twice = await run(['create', 'configmap', 'c'])
    expect(twice.err).toContain('configmaps "c" already exists')
  })

  test('[C121] patch, label and annotate', async () => {
    await apply(service())
    const patch = async (type: string, change: unknown) =>
      kubectl('patch', 'svc', 'web', `--type=${type}`, '-p', JSON.stringify(change))
    await patch('strategic', { spec: { ports: [{ name: 'more', port: 81 }] } })
    await patch('merge', { spec: { selector: { a: '1' } } })
    await patch('json', [{ op: 'add', path: '/spec/externalTrafficPolicy', value: 'Local' }])
    const { spec } = await verbs(admin, core('services', namespace)).get('web')
    expect(spec).toMatchObject({ selector: { a: '1' }, externalTrafficPolicy: 'Local' })
    expect(spec?.['ports']).toHaveLength(2)
    const status = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } }
    await kubectl('patch', 'svc', 'web', '--subresource=status', '-p', JSON.stringify(status))
    expect(rows(await kubectl('get', 'svc', 'web'))[1]?.[3]).toBe('192.0.2.1')
    await kubectl('label', 'svc', 'web', 'tier=front')
    await kubectl('annotate', 'svc', 'web', 'berth.dev/x=1')
    await kubectl('label', 'svc', 'web', 'tier-')
    const { metadata } = await verbs(admin, core('services', namespace)).get('web')
    expect(metadata.labels).toBeUndefined()
    expect(metadata.annotations).toMatchObject({ 'berth.dev/x': '1' })
  })

  test('[C122] edit and replace', async () => {
    await apply(service())
    await apply(pool('192.0.2.0/24'))
    const swap = { editor: 'sed -i s,192.0.2.0,198.51.100.0,' }
    expect(printed(await run(['edit', 'ipaddresspool', 'p'], swap))).toContain('edited')
    const path = '-o=jsonpath={.spec.addresses[0]}'
    expect(await kubectl('get', 'ipaddresspool', 'p', path)).toBe('198.51.100.0/24')
    const repaint = { editor: 'sed -i s/externalTrafficPolicy:.*/externalTrafficPolicy:\\ Local/' }
    expect(printed(await run(['edit', 'svc', 'web'], repaint))).toContain('edited')
    const replaced = await run(['replace', '-f', '-'], { input: pool('203.0.113.0/24') })
    expect(printed(replaced)).toContain('replaced')
    expect(await kubectl('get', 'ipaddresspool', 'p', path)).toBe('203.0.113.0/24')
  })

  test('[C123] delete waits until it is gone; by name, label, file and all', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await kubectl('create', 'configmap', name)
    await kubectl('label', 'cm', 'b', 'tier=front')
    await apply(map())
    const names = () =>
      kubectl('get', 'cm', '-o', 'name', '--field-selector=metadata.name!=kube-root-ca.crt')
    expect(await kubectl('delete', 'cm', 'a')).toContain('deleted')
    await kubectl('delete', 'cm', '-l', 'tier=front')
    expect(await names()).toBe('configmap/c\nconfigmap/d\n')
    await apply(map())
    printed(await run(['delete', '-f', '-'], { input: map() }))
    await kubectl('delete', 'cm', '--all')
    expect(await names()).toBe('')
    expect((await run(['delete', 'cm', 'a'])).code).toBe(1)
    expect(await kubectl('delete', 'cm', 'a', '--ignore-not-found')).toBe('')
  })

  test('[C124] wait: for a value, a condition, a deletion', async () => {
    await apply(service())
    const waiting = kubectl(
      ...['wait', 'svc/web', '--timeout=20s'],
      '--for=jsonpath={.status.loadBalancer.ingress[0].ip}=192.0.2.1',
    )
    const status = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } }
    await kubectl('patch', 'svc', 'web', '--subresource=status', '-p', JSON.stringify(status))
    expect(await waiting).toContain('condition met')
    const established = 'crd/ipaddresspools.metallb.io'
    const condition = ['--for=condition=Established', '--timeout=20s']
    expect(await kubectl('wait', established, ...condition)).toContain('condition met')
    await apply(map())
    const gone = kubectl('wait', 'cm/m', '--for=delete', '--timeout=20s')
    await kubectl('delete', 'cm', 'm')
    // It says so only when it had to wait.
    expect(['', 'configmap/m condition met\n']).toContain(await gone)
  })

  test('[C125] explain: fields of our kinds, from the published OpenAPI', async () => {
    const text = await kubectl('explain', 'ipaddresspool.spec.autoAssign')
    expect(text).toMatch(/GROUP: +metallb.io/)
    expect(text).toMatch(/FIELD: autoAssign <boolean>/)
    expect(await kubectl('explain', 'tenants', '--recursive')).toContain('requestedAddresses')
    expect(await kubectl('explain', 'service.spec.ports')).toContain('targetPort')
  })

  test('[C126] auth can-i and whoami; --as', async () => {
    expect(await kubectl('auth', 'can-i', 'create', 'services')).toBe('yes\n')
    const refused = await run(['auth', 'can-i', 'list', 'secrets'], { user: 'nobody' })
    expect(refused).toMatchObject({ code: 1, out: 'no\n' })
    const who = printed(await run(['auth', 'whoami', '-o', 'json'], { user: 'reader' }))
    expect(JSON.parse(who)).toMatchObject({ status: { userInfo: { username: 'reader' } } })
    const as = await run(['get', 'svc', '--as=nobody'])
    expect(as.err).toContain('User "nobody" cannot list resource "services"')
  })

  test('[C127] get --raw and cluster-info', async () => {
    expect(await kubectl('get', '--raw', '/readyz')).toBe('ok')
    expect(JSON.parse(await kubectl('get', '--raw', '/version'))).toHaveProperty('gitVersion')
    expect(await kubectl('cluster-info')).toContain('is running at')
  })
})
