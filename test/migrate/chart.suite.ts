// Does `berth migrate` lead from MetalLB's chart to Berth's and back where BGP is used? No address changes,
// the router always has a route, and BGPPeers can be read in both versions at every moment.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { definitionsEstablished } from '../kube/helm/programs.ts'
import { until } from '../kube/waits.ts'
import { writeChart } from './metallbChart.ts'
import { configuration, service } from './metallbObjects.ts'
import { asNumbers, clientAddresses, type Rig, startRig } from './rig.ts'
import { answeredByOne, watched } from './watched.ts'

const namespace = 'metallb-system'
const named = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}-${at + 1}`)
const [onLink, byBgp] = [named('web', 6), named('bgp', 4)]
const here = (file: string): string => join(import.meta.dirname, file)
const standIn = (part: string) => [process.execPath, here('standIn.ts'), part]

/** As the guide has it. */
const [guided = ''] =
  readFileSync('docs/guides/migrate.md', 'utf8').match(/^helm install berth .*NAMESPACE.*$/m) ?? []
const byChart = guided.replace('NAMESPACE', namespace)

const metallb = (kind: string, name: string, spec: object): object => ({
  ...{ apiVersion: `metallb.io/${kind === 'BGPPeer' ? 'v1beta2' : 'v1beta1'}`, kind },
  ...{ metadata: { name, namespace }, spec },
})
type Json = Readonly<Record<string, unknown>> & { readonly kind: string; readonly metadata: object }
const routed = (name: string): readonly object[] =>
  (service(name) as readonly Json[]).map((object) => {
    if (object.kind !== 'Service') return object
    const annotations = { 'metallb.io/address-pool': 'routed' }
    return { ...object, metadata: { ...object.metadata, annotations } }
  })
const objects = [
  ...(configuration as readonly Json[]).filter(({ kind }) => kind === 'IPAddressPool'),
  metallb('L2Advertisement', 'lan', { interfaces: ['eth0'], ipAddressPools: ['lan'] }),
  metallb('IPAddressPool', 'routed', { addresses: ['10.20.0.0/28'], autoAssign: false }),
  metallb('BGPAdvertisement', 'routed', { ipAddressPools: ['routed'] }),
  metallb('BGPPeer', 'tor', {
    ...{ myASN: asNumbers.nodes, peerASN: asNumbers.router, peerAddress: clientAddresses.lan4 },
    holdTime: '9s',
  }),
  ...onLink.flatMap(service),
  ...byBgp.flatMap(routed),
]

describe.skipIf(inject('engine') === '')('berth migrate, from the chart and with BGP', () => {
  let rig: Rig
  let router: ChildProcess | undefined
  let before: Readonly<Record<string, string>> = {}

  const must = (command: string): string => {
    const ran = rig.shell(command)
    if (ran.exit !== 0) throw new Error(`${command}: ${ran.out}${ran.err}`)
    return ran.out
  }
  const names = (kind: string): readonly string[] =>
    rig.kubectl(['get', kind, '-n', namespace, '-o', 'name']).split('\n').filter(Boolean)
  const addresses = (): Readonly<Record<string, string>> => {
    const path = '{range .items[*]}{.metadata.name}={.status.loadBalancer.ingress[0].ip} {end}'
    const out = rig.kubectl(['get', 'services', '-n', 'default', '-o', `jsonpath=${path}`])
    return Object.fromEntries(
      out.split(' ').flatMap((pair) => {
        const [name = '', ip = ''] = pair.split('=')
        return ip === '' ? [] : [[name, ip]]
      }),
    )
  }
  const ipsOf = (which: readonly string[]): string[] => which.map((name) => before[name] ?? '')

  /** The router's paths, by prefix, after each change. */
  const tables = (): readonly Readonly<Record<string, number>>[] =>
    readFileSync(join(rig.folder, 'routes'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const pathsNow = (): readonly number[] => {
    const now = tables().at(-1) ?? {}
    return ipsOf(byBgp).map((ip) => now[`${ip}/32`] ?? 0)
  }
  const announcedByAll = () =>
    until('the router has a path through each node', () => {
      const isThere = pathsNow().every((count) => count === rig.nodes.length)
      return isThere || undefined
    })

  /** Meanwhile no route is missing for a moment, no address is silent for good, no read fails. */
  async function unnoticed(work: () => void): Promise<void> {
    const begunAt = tables().length - 1
    const peers = rig.start(`exec '${process.execPath}' '${here('watchPeers.ts')}' tor`)
    const chunks: string[] = []
    peers.stdout?.on('data', (chunk) => chunks.push(String(chunk)))
    const ended = once(peers, 'exit')
    const rows = await watched(rig, ipsOf(onLink), async () => work())
    peers.kill('SIGTERM')
    await ended
    expect(rows.filter(({ gapMs }) => gapMs < 0)).toEqual([])
    const without = tables()
      .slice(begunAt)
      .flatMap((table) => ipsOf(byBgp).filter((ip) => (table[`${ip}/32`] ?? 0) === 0))
    expect(without).toEqual([])
    const { failures, why } = JSON.parse(chunks.join(''))
    expect([failures, why]).toEqual([0, ''])
    expect(addresses()).toEqual(before)
    await answeredByOne(rig, ipsOf(onLink))
    await announcedByAll()
  }

  const walk = (command: string): void => {
    const ran = rig.shell(`berth migrate ${command} --settle 3`)
    expect(ran.exit, ran.out + ran.err).toBe(0)
  }
  async function installBerth(command: string): Promise<void> {
    must(command)
    await until(
      'Berth runs on every node',
      () => JSON.parse(rig.shell('berth migrate plan -o json').out).steps[0].done || undefined,
      60_000,
    )
  }

  beforeAll(async () => {
    rig = await startRig({
      engine: inject('engine'),
      kubectl: inject('kubectlPath'),
      helm: inject('helmPath'),
      images: {
        'metallb/controller': standIn('controller'),
        'metallb/speaker': standIn('speaker'),
      },
    })
    const program = [process.execPath, here('bgpRouter.ts'), join(rig.folder, 'routes')]
    router = rig.start(`exec ${program.join(' ')}`)
    must(`helm install metallb ${writeChart(rig.folder)} -n ${namespace} --create-namespace`)
    await definitionsEstablished((...args) => rig.kubectl(args))
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects })
    await until('the configuration is taken', () => {
      const ran = rig.shell(`kubectl apply -f - <<'END'\n${list}\nEND\n`)
      return ran.exit === 0 || undefined
    })
    await until(
      'MetalLB announces all',
      () => {
        const routes = names('servicebgpstatuses').length
        const isAll = routes === byBgp.length * rig.nodes.length
        return (isAll && names('servicel2statuses').length === onLink.length) || undefined
      },
      60_000,
    )
    before = addresses()
    await announcedByAll()
  })
  afterAll(async () => {
    router?.kill()
    await rig?.stop()
  })

  test('what is found: a chart that owns the definitions, and peers in use', async () => {
    await installBerth(byChart)
    const { exit, out } = rig.shell('berth migrate check')
    expect(exit).toBe(2)
    for (const code of ['crds-owned-by-helm', 'bgp-in-use', 'conversion-by-metallb']) {
      expect(out).toContain(code)
    }
    expect(rig.shell('berth migrate plan').out).toContain(`in ${namespace}, by chart`)
  })

  test('the way in', async () => {
    await unnoticed(() => walk('step --all'))
    expect(rig.shell('berth migrate status')).toMatchObject({ exit: 0 })
  })

  test('the way back: MetalLB announces again, and nothing of Berth is left', async () => {
    await unnoticed(() => walk('back'))
    expect(names('deploy,ds')).toEqual([
      'deployment.apps/metallb-controller',
      'daemonset.apps/metallb-speaker',
    ])
    const path = '{.spec.conversion.webhook.clientConfig.service.name}'
    const converter = ['get', 'crd', 'bgppeers.metallb.io', '-o', `jsonpath=${path}`]
    expect(rig.kubectl(converter)).toBe('metallb-webhook-service')
  })

  test("what is left of Berth's release takes nothing along", async () => {
    const before = names('crd')
    await unnoticed(() => must(`helm -n ${namespace} uninstall berth`))
    expect(names('crd')).toEqual(before)
  })

  test('in again, and the release is uninstalled: what is in use stays', async () => {
    await installBerth('kubectl apply -k deploy/kustomize/beside-metallb')
    await unnoticed(() => {
      walk('step --all')
      const stopped = rig.shell('berth migrate finish')
      expect(stopped).toMatchObject({ exit: 1, err: expect.stringContaining('helm -n') })
      must(`helm -n ${namespace} uninstall metallb`)
      walk('finish')
    })
    expect(names('ipaddresspools,bgppeers')).toHaveLength(3)
    expect(names('deploy,ds').filter((name) => name.includes('metallb'))).toEqual([])
  })
})
