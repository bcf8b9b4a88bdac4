// Does an upgrade in place change an address, or who answers, and does the way back? From the commit
// before migrations were worked on, with its other ports, definitions and rights, by kustomize and by
// chart.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { definitionsEstablished } from '../kube/helm/programs.ts'
import { until } from '../kube/waits.ts'
import { configuration, service } from './metallbObjects.ts'
import { type Rig, startRig } from './rig.ts'
import { answeredByOne, noticed, watched } from './watched.ts'

const commit = 'e9a45e4'
const first = Array.from({ length: 12 }, (_, at) => `web-${at + 1}`)
const namespace = 'metallb-system'
/** Another image than ours, so that the kubelet starts the old program. */
const oldImage = 'old/berth'

const git = (...args: readonly string[]) => spawnSync('git', args, { maxBuffer: 1 << 28 })
const hasCommit = git('cat-file', '-e', `${commit}^{commit}`).status === 0
const isHere = inject('engine') !== '' && hasCommit
if (!hasCommit) {
  const why = `the clone is shallow and lacks ${commit}; run: git fetch --unshallow`
  process.stdout.write(`upgrade: not run: ${why}\n`)
  if (process.env['BERTH_REQUIRE_ALL'] === '1') throw new Error(why)
}

function unpackOld(): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-old-'))
  const { stdout } = git('archive', commit)
  const unpacked = spawnSync('tar', ['x', '-C', folder], { input: stdout })
  if (unpacked.status !== 0) throw new Error(String(unpacked.stderr))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return folder
}

const images = ['controller', 'speaker'].map((part) => `--set ${part}.image.repository=${oldImage}`)
/** How the guide goes back with Kustomize: in the newer clone, then in the older one. */
const installing = readFileSync('docs/guides/install.md', 'utf8')
const [, back = ''] =
  /^To upgrade, apply.*To go back([\s\S]*?)^If the older/m.exec(installing) ?? []
const guided = (back.match(/^kubectl .*$/gm) ?? []).join('\n')

const ways = [
  {
    way: 'kustomize',
    install: (old: string) =>
      `kubectl kustomize ${old}/deploy/kustomize | sed 's|image: berth:|image: ${oldImage}:|' | ` +
      'kubectl apply -f -',
    upgrade: 'kubectl apply -k deploy/kustomize',
    // Its definitions stay: they know every field of the older ones.
    downgrade: (old: string) =>
      guided.replace(
        /^kubectl apply -k (.*)$/gm,
        `kubectl kustomize ${old}/$1 | sed 's|image: berth:|image: ${oldImage}:|' | kubectl apply -f -`,
      ),
  },
  {
    way: 'chart',
    install: (old: string) =>
      `helm install berth ${old}/deploy/helm/berth -n ${namespace} --create-namespace ` +
      images.join(' '),
    upgrade: `helm upgrade berth deploy/helm/berth -n ${namespace} --reset-values`,
    downgrade: (old: string) =>
      `helm upgrade berth ${old}/deploy/helm/berth -n ${namespace} --reset-then-reuse-values ` +
      `--set crds.enabled=false ${images.join(' ')}`,
  },
]

/** With fields that the older definition does not have, on an address that nothing else uses. */
const site = {
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Site',
  metadata: { name: 'cluster' },
  spec: {
    internalNetwork: '10.1.0.0/24',
    external: {
      apiVIP: '10.10.200.20',
      ingressVIP: '10.10.200.21',
      prefixLength: 16,
      gateway: '10.10.0.1',
      routes: [{ destination: '198.51.100.0/24' }],
    },
  },
}

describe.skipIf(!isHere).each(ways)('an upgrade in place by $way', (by) => {
  const { way, install, upgrade, downgrade } = by
  const names = [...first]
  let rig: Rig
  let old: string

  beforeAll(async () => {
    old = unpackOld()
    rig = await startRig({
      engine: inject('engine'),
      kubectl: inject('kubectlPath'),
      helm: inject('helmPath'),
      images: { [oldImage]: [process.execPath, join(old, 'src/main.ts')] },
    })
    must(install(old))
    await definitionsEstablished((...args) => rig.kubectl(args))
    await rolledOut()
    const items = [...configuration, ...names.flatMap(service)]
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
    rig.kubectl(['apply', '-f', '-'], list)
    await announced()
  })
  afterAll(async () => {
    await rig?.stop()
    rmSync(old, { recursive: true, force: true })
  })

  const must = (command: string): void => {
    const ran = rig.shell(command)
    if (ran.exit !== 0) throw new Error(`${command}: ${ran.out}${ran.err}`)
  }
  const jsonpath = (what: string, path: string): string =>
    rig.kubectl(['get', ...what.split(' '), '-o', `jsonpath=${path}`])
  const addresses = (): string =>
    jsonpath(
      'services -l !component',
      '{range .items[*]}{.metadata.name}={.status.loadBalancer.ingress[*].ip} {end}',
    )
  /** The same objects, not others of the same name. */
  const claims = (): string => jsonpath('addresses', '{.items[*].metadata.uid}')
  const imagesNow = (): ReadonlySet<string> =>
    new Set(
      jsonpath(`pods -n ${namespace}`, '{.items[*].spec.containers[*].image}')
        .split(' ')
        .map((image) => image.replace(/:.*/, '')),
    )
  const announced = () =>
    until(
      'one node announces each Service',
      () => {
        const said = jsonpath(
          `servicel2statuses -n ${namespace}`,
          '{.items[*].metadata.labels.metallb\\.io/service-name}',
        ).split(' ')
        return (said.length === names.length && new Set(said).size === said.length) || undefined
      },
      60_000,
    )
  async function rolledOut(): Promise<void> {
    for (const workload of ['deployment/berth-controller', 'daemonset/berth-speaker']) {
      await until(
        `${workload} is rolled out`,
        () => {
          const command = `kubectl -n ${namespace} rollout status ${workload} --timeout=5s`
          return rig.shell(command).exit === 0 || undefined
        },
        180_000,
      )
    }
  }
  const ips = (): string[] =>
    addresses()
      .split(' ')
      .flatMap((pair) => pair.split('=')[1] ?? [])
      .filter((ip) => ip !== '')

  /** Each address is heard again, and nothing is another one afterwards. */
  async function during(work: () => void, what: string): Promise<void> {
    const before = { addresses: addresses(), claims: claims() }
    const rows = await watched(rig, ips(), async () => {
      work()
      await rolledOut()
      await announced()
    })
    const worst = rows.toSorted((one, other) => other.gapMs - one.gapMs)[0]
    const longest = `longest at ${worst?.gapAt} for ${worst?.address}`
    process.stdout.write(`upgrade by ${way}, ${what}: ${noticed(rows)}; ${longest}\n`)
    expect({ addresses: addresses(), claims: claims() }).toEqual(before)
    expect(rows.filter(({ gapMs }) => gapMs < 0)).toEqual([])
    await answeredByOne(rig, ips())
  }

  test('no address changes, and each is announced by one node', async () => {
    expect([...imagesNow()]).toEqual([oldImage])
    expect(ips()).toHaveLength(names.length)
    await during(() => must(upgrade), 'old to new')
    expect([...imagesNow()]).toEqual(['berth'])
    await during(
      () => must(`kubectl -n ${namespace} rollout restart daemonset berth-speaker`),
      'new to new, for comparison',
    )
  })

  const isWell = () =>
    until(
      'nothing is wrong',
      () => rig.shell('berth status --exit-code').exit === 0 || undefined,
      60_000,
    ).catch(() => expect(rig.shell('berth status --exit-code')).toMatchObject({ exit: 0 }))
  async function oneMore(name: string): Promise<void> {
    const list = { apiVersion: 'v1', kind: 'List', items: service(name) }
    rig.kubectl(['apply', '-f', '-'], JSON.stringify(list))
    const given = new RegExp(`${name}=\\d`)
    await until(`${name} has an address`, () => given.test(addresses()) || undefined)
    names.push(name)
    await announced()
  }

  test('what the new version adds is there, and nothing is wrong', async () => {
    await isWell()
    rig.kubectl(['get', 'releasedpools'])
    await oneMore('web-new')
  })

  test('back to the old version and forth no address changes, and no field is lost', async () => {
    rig.kubectl(['apply', '-f', '-'], JSON.stringify(site))
    const external = () => JSON.parse(jsonpath('site cluster', '{.spec.external}'))
    const written = external()
    expect(guided.split('\n')).toHaveLength(3)
    expect(written).toMatchObject(site.spec.external)
    await during(() => must(downgrade(old)), 'new to old')
    expect([...imagesNow()]).toEqual([oldImage])
    await oneMore('web-old')
    expect(external()).toEqual(written)
    await during(() => must(upgrade), 'old to new, again')
    expect([...imagesNow()]).toEqual(['berth'])
    expect(external()).toEqual(written)
    rig.kubectl(['delete', 'site', 'cluster'])
    await isWell()
  })
})
