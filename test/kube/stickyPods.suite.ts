// Do the pods of a StatefulSet keep their addresses (R12.15, R12.16)?
import { execFileSync, spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Complete } from '../../src/core/model/completion.ts'
import { type Cluster, type Running, startCluster } from './controllers.ts'
import { isEmbedded } from './harness.ts'
import { contradictions, installOpenstack, ipSet, isReady, reservedBy } from './ipsetStand.ts'
import {
  attachmentConfig,
  defineAttachments,
  networksOf,
  newStickyStand,
  type Selection,
  type StickyStand,
  serveWebhook,
} from './stickyStand.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined
let cluster: Cluster
let running: Running[] = []
let undo: (() => Promise<void>)[] = []

beforeAll(async () => {
  if (!isHere) return
  const completePod: Complete = async (asked) =>
    running.at(-1)?.controller.complete('/Pod', asked) ?? { ok: false, why: 'nobody is there' }
  cluster = await startCluster({
    controllers: ['garbage-collector-controller', 'statefulset-controller'],
    apiFlags: ['--disable-admission-plugins=ServiceAccount'],
    completePod,
    define: installOpenstack,
  })
  await defineAttachments(cluster)
})
afterEach(async () => {
  for (const each of undo) await each()
  await Promise.all(running.map((one) => one.stop()))
  ;[running, undo] = [[], []]
})
afterAll(() => cluster?.stop())

/** A controller that also answers for pods. */
async function start(stand: StickyStand, lease?: string): Promise<Running> {
  const one = stand.run(lease === undefined ? {} : { lease })
  running.push(one)
  await until('it has read everything', () => (one.controller.isIn ? true : undefined))
  if (!isEmbedded) undo.push(await serveWebhook(cluster, one))
  return one
}

async function stopAll(): Promise<void> {
  for (const each of undo) await each()
  await Promise.all(running.map((one) => one.stop()))
  ;[running, undo] = [[], []]
}

const ipOf = (selections: readonly Selection[]): string => selections[0]?.ips?.[0] ?? ''
const networks = async (stand: StickyStand, name: string): Promise<readonly Selection[]> =>
  networksOf(
    await until(`${name} is made`, () => stand.pods.get(name).catch(() => undefined), 30_000),
  )

describe.skipIf(!isHere)('pods of a StatefulSet', () => {
  test('[R12.15] a pod has its address again, whatever was deleted or restarted', async () => {
    const stand = await newStickyStand(cluster, 'sticky-a')
    const first = await start(stand)
    await stand.scale('ovn', 2)
    const [zero, one] = [await networks(stand, 'ovn-0'), await networks(stand, 'ovn-1')]
    expect([ipOf(zero), ipOf(one)].toSorted()).toEqual(['172.17.0.60/24', '172.17.0.61/24'])
    expect(zero[0]).toMatchObject({ name: 'internalapi-sticky', interface: 'internalapi-sti' })

    // The pod alone, as on another node; then with a controller that has just started.
    expect(networksOf(await stand.remake('ovn-0'))).toEqual(zero)
    await first.quiet()
    await stopAll()
    await start(stand)
    expect(networksOf(await stand.remake('ovn-1'))).toEqual(one)
    expect(networksOf(await stand.remake('ovn-0'))).toEqual(zero)

    // The StatefulSet itself, made again under its name: its addresses are kept a day.
    await stand.removeSet('ovn')
    await stand.scale('ovn', 2)
    expect([await networks(stand, 'ovn-0'), await networks(stand, 'ovn-1')]).toEqual([zero, one])
    await until('nothing contradicts', async () =>
      (await contradictions(stand)).length === 0 ? true : undefined,
    )
  })

  test('[R12.15] hosts get none of the range, and pods no address twice', async () => {
    const sticky = 'InternalApi=172.17.0.100-172.17.0.111'
    const stand = await newStickyStand(cluster, 'sticky-b', { sticky })
    await start(stand, 'one')
    await start(stand, 'other')
    await Promise.all([
      stand.scale('ovn', 12),
      ...['a', 'b', 'c'].map((name) => stand.ipSets.create(ipSet(name, ['InternalApi']))),
    ])
    await until('all pods are made', async () =>
      (await stand.pods.list()).items.length === 12 ? true : undefined,
    )
    const { items } = await stand.pods.list()
    const given = items.map((pod) => ipOf(networksOf(pod)))
    expect(new Set(given).size).toBe(12)
    const hosts = await until('hosts have theirs', async () => {
      const found = (await stand.ipSets.list()).items.filter(({ metadata }) =>
        ['a', 'b', 'c'].includes(metadata.name),
      )
      return found.every(isReady) ? found : undefined
    })
    const theirs = hosts.flatMap(reservedBy).map(({ address }) => address)
    expect(theirs.toSorted()).toEqual(['172.17.0.112', '172.17.0.113', '172.17.0.114'])
    await until('nothing contradicts', async () =>
      (await contradictions(stand)).length === 0 ? true : undefined,
    )
  })

  test('[R12.16] without a free address, or beside a host of its name, a pod is refused', async () => {
    const stand = await newStickyStand(cluster, 'sticky-c', {
      sticky: 'InternalApi=172.17.0.60-172.17.0.61',
    })
    await start(stand)
    await stand.scale('ovn', 2)
    await Promise.all(['ovn-0', 'ovn-1'].map((name) => networks(stand, name)))
    const dryRun = { dryRun: 'All' }
    const like = await stand.pods.get('ovn-0')
    const { annotations, labels, ...rest } = like.metadata
    const { ownerReferences } = rest as { ownerReferences?: unknown }
    const spec = { containers: [{ name: 'main', image: 'none' }] }
    const asked = JSON.stringify([{ name: 'internalapi-sticky' }])
    const made = (name: string) => ({
      metadata: {
        name,
        labels: { ...labels, 'statefulset.kubernetes.io/pod-name': name },
        annotations: { 'k8s.v1.cni.cncf.io/networks': asked },
        ownerReferences,
      },
      spec,
    })
    // A StatefulSet has a pod for each of its replicas, and no other one is asked for.
    if (!isEmbedded) {
      await expect(stand.pods.create(made('ovn-7'))).rejects.toThrow(/ has no pod 7/)
      await stand.scale('ovn', 3)
    }
    await expect(stand.pods.create(made('ovn-2'))).rejects.toThrow(
      /podcompletionwebhook.*InternalApi: range-full: .*2 of 2 in use/,
    )
    await stand.ipSets.create(ipSet('ovn-8', ['Storage']))
    await until('the host is known', () =>
      running[0]?.controller.world.all('IPSet').has('sticky-c/ovn-8') === true ? true : undefined,
    )
    await expect(stand.pods.create(made('ovn-8'))).rejects.toThrow(/for a host of that name/)
    // Nothing is reserved for what is not made.
    await stand.pods.create(made('ovn-9'), dryRun)
    const { items } = await stand.ipSets.list()
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('ovn-9')
  })

  test('[R12.15] nothing is reserved for a pod that somebody made up', async () => {
    const stand = await newStickyStand(cluster, 'sticky-f')
    const { controller } = await start(stand)
    const asked = (name: string) =>
      controller.complete('/Pod', {
        namespace: 'sticky-f',
        object: {
          metadata: {
            name,
            annotations: { 'k8s.v1.cni.cncf.io/networks': 'internalapi-sticky' },
            ownerReferences: [
              {
                apiVersion: 'apps/v1',
                kind: 'StatefulSet',
                name: 'ovn',
                uid: 'x',
                controller: true,
              },
            ],
          },
        },
        isDryRun: false,
        // As through the webhook, which takes no credentials.
        isVouchedFor: false,
      })
    expect(await asked('ovn-0')).toMatchObject({
      ok: false,
      why: expect.stringContaining('StatefulSet sticky-f/ovn'),
    })
    expect(await asked('other-0')).toMatchObject({
      ok: false,
      why: expect.stringContaining('not a pod of StatefulSet'),
    })
    expect((await stand.ipSets.list()).items).toEqual([])
  })

  test('[R12.15] other pods, and those of other namespaces, are as they were', async () => {
    const stand = await newStickyStand(cluster, 'sticky-d', { isAsked: false })
    await start(stand)
    await stand.scale('ovn', 1)
    expect((await networks(stand, 'ovn-0'))[0]?.ips).toBeUndefined()
    expect((await stand.ipSets.list()).items).toEqual([])
  })
})

const plugins = '/usr/lib/cni'
const install = fileURLToPath(new URL('../lab/install.sh', import.meta.url))
const isRoot = process.getuid?.() === 0
const hasPlugins = isHere && isRoot && spawnSync(install, ['ip', 'static']).status === 0
const isTried = isHere && (hasPlugins || process.env['BERTH_REQUIRE_ALL'] === '1')

describe.skipIf(!isTried)('with the plugins of the distribution', () => {
  const spaces = ['sticky-node-1', 'sticky-node-2', 'sticky-pod-1', 'sticky-pod-2']
  const ip = (...args: readonly string[]): string =>
    execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const removeSpaces = (): void => {
    const there = ip('netns')
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '')
    for (const space of spaces) if (there.includes(space)) ip('netns', 'del', space)
  }
  beforeAll(() => {
    removeSpaces()
    for (const space of spaces) ip('netns', 'add', space)
    for (const node of spaces.slice(0, 2)) {
      ip('-n', node, 'link', 'add', 'enp6s0', 'type', 'veth', 'peer', 'name', 'wire0')
      for (const link of ['enp6s0', 'wire0']) ip('-n', node, 'link', 'set', link, 'up')
    }
  })
  afterAll(removeSpaces)

  /** As multus calls a plugin: what the pod asks for goes in as the configuration at run time. */
  function attach(command: 'ADD' | 'DEL', place: { node: string; pod: string; on: Selection }) {
    const { node, pod, on } = place
    const input = JSON.stringify({ ...attachmentConfig, runtimeConfig: { ips: on.ips } })
    const env = [
      `CNI_COMMAND=${command}`,
      'CNI_CONTAINERID=test',
      `CNI_NETNS=/var/run/netns/${pod}`,
      `CNI_IFNAME=${on.interface}`,
      `CNI_PATH=${plugins}`,
    ]
    execFileSync('ip', ['netns', 'exec', node, 'env', ...env, `${plugins}/macvlan`], { input })
  }

  test('[R12.15] the interface of the pod has the address, on one node and on the next', async () => {
    const stand = await newStickyStand(cluster, 'sticky-e')
    await start(stand)
    await stand.scale('ovn', 1)
    const shown = (pod: string): string => ip('-n', pod, '-br', 'addr', 'show', 'internalapi-sti')
    const [before] = await networks(stand, 'ovn-0')
    if (before === undefined) throw new Error('no networks')
    attach('ADD', { node: 'sticky-node-1', pod: 'sticky-pod-1', on: before })
    expect(shown('sticky-pod-1')).toContain(' 172.17.0.60/24')
    attach('DEL', { node: 'sticky-node-1', pod: 'sticky-pod-1', on: before })
    expect(() => shown('sticky-pod-1')).toThrow()
    await stopAll()
    await start(stand)
    const [after] = networksOf(await stand.remake('ovn-0'))
    if (after === undefined) throw new Error('no networks')
    attach('ADD', { node: 'sticky-node-2', pod: 'sticky-pod-2', on: after })
    expect(shown('sticky-pod-2')).toContain(' 172.17.0.60/24')
  })
})
