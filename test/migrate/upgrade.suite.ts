// Does an upgrade in place change an address, or who answers? From the commit before migrations were
// worked on, with its other ports, definitions and rights, by kustomize and by chart.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
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
const names = Array.from({ length: 12 }, (_, at) => `web-${at + 1}`)
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
const ways = [
  {
    way: 'kustomize',
    install: (old: string) =>
      `kubectl kustomize ${old}/deploy/kustomize | sed 's|image: berth:|image: ${oldImage}:|' | ` +
      'kubectl apply -f -',
    upgrade: 'kubectl apply -k deploy/kustomize',
  },
  {
    way: 'chart',
    install: (old: string) =>
      `helm install berth ${old}/deploy/helm/berth -n ${namespace} --create-namespace ` +
      images.join(' '),
    upgrade: `helm upgrade berth deploy/helm/berth -n ${namespace} --reset-values`,
  },
]

describe.skipIf(!isHere).each(ways)('an upgrade in place by $way', ({ way, install, upgrade }) => {
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

  test('no address changes, and each is announced by one node', async () => {
    expect([...imagesNow()]).toEqual([oldImage])
    const before = { addresses: addresses(), claims: claims() }
    expect(ips()).toHaveLength(names.length)
    const during = async (work: () => void, what: string) => {
      const rows = await watched(rig, ips(), async () => {
        work()
        await rolledOut()
        await announced()
      })
      const worst = rows.toSorted((one, other) => other.gapMs - one.gapMs)[0]
      const longest = `longest at ${worst?.gapAt} for ${worst?.address}`
      process.stdout.write(`upgrade by ${way}, ${what}: ${noticed(rows)}; ${longest}\n`)
      return rows
    }
    const rows = await during(() => must(upgrade), 'old to new')
    expect([...imagesNow()]).toEqual(['berth'])
    expect({ addresses: addresses(), claims: claims() }).toEqual(before)
    expect(rows.filter(({ gapMs }) => gapMs < 0)).toEqual([])
    await answeredByOne(rig, ips())
    await during(
      () => must(`kubectl -n ${namespace} rollout restart daemonset berth-speaker`),
      'new to new, for comparison',
    )
    expect({ addresses: addresses(), claims: claims() }).toEqual(before)
  })

  test('what the new version adds is there, and nothing is wrong', async () => {
    await until(
      'nothing is wrong',
      () => rig.shell('berth status --exit-code').exit === 0 || undefined,
      60_000,
    ).catch(() => expect(rig.shell('berth status --exit-code')).toMatchObject({ exit: 0 }))
    rig.kubectl(['get', 'releasedpools'])
    const [more] = [service('web-more')]
    rig.kubectl(
      ['apply', '-f', '-'],
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: more }),
    )
    await until('a new Service has an address', () => /web-more=\d/.test(addresses()) || undefined)
  })
})
