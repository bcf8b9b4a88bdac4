// Does the page of the first Service lead from a release to a request that is answered, through an
// upgrade, to a cluster on which nothing is left? Its blocks, word for word, on the real Kubernetes.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { consoleIn } from '../build/console.ts'
import { until } from '../kube/waits.ts'
import { type Ran, type Rig, startRig } from './rig.ts'

const page = readFileSync('docs/guides/first-service.md', 'utf8')
/** The network of the rig, in place of that of the page. */
const here = (text: string): string => text.replaceAll('192.0.2.', '10.10.100.')
const sections = new Set<string>()
const section = (title: string): string => {
  sections.add(title)
  const [, text = ''] = page.split(new RegExp(`^## (?:\\d\\. )?${title}$`, 'm'))
  return here(text.split(/^## /m)[0] ?? '')
}
const blocks = (title: string, language: string): string[] =>
  [...section(title).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, lines = '']) => lines,
  )
const installing = readFileSync('docs/guides/install.md', 'utf8')
const [lookAtPods = ''] = /^kubectl -n metallb-system get pods,lease$/m.exec(installing) ?? []
const [manifestCommand = ''] = /kubectl apply --server-side -f \S+\.yaml/.exec(page) ?? []

describe.skipIf(inject('engine') === '')('the first Service on a cluster', () => {
  const work = mkdtempSync(join(tmpdir(), 'berth-first-'))
  const own = (program: string, ...args: readonly string[]): void => {
    const env = { ...process.env, npm_config_prefix: join(work, 'own') }
    const ran = spawnSync(program, args, { cwd: work, env, encoding: 'utf8' })
    if (ran.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${ran.stderr}`)
  }
  let rig: Rig
  let before: readonly string[]

  beforeAll(async () => {
    const release = resolve('deploy/release/release.ts')
    const parts = 'package,chart,manifest'
    own(process.execPath, release, '--out', join(work, 'release'), '--only', parts)
    const [installed = ''] = /^npm .*$/m.exec(blocks('Make the release', 'sh').join('')) ?? []
    own('bash', '-c', installed)
    nextChart()
    rig = await startRig({
      engine: inject('engine'),
      kubectl: inject('kubectlPath'),
      helm: inject('helmPath'),
      nodes: 2,
      hasProxy: true,
    })
    before = everything()
  })
  afterAll(async () => {
    await rig?.stop()
    rmSync(work, { recursive: true, force: true })
  })

  /** The same with a later version, whose image the kubelet takes for another. */
  function nextChart(): void {
    own('tar', 'xzf', 'release/berth-chart-0.1.0.tgz')
    own('sed', '-i', 's/0\\.1\\.0/0.2.0/', 'berth/Chart.yaml')
    own('tar', 'czf', 'release/berth-chart-0.2.0.tgz', 'berth')
  }

  const shell = (commands: string): Ran =>
    rig.shell(`cd '${work}'; PATH='${work}/own/bin':$PATH; ${commands}`)
  const must = (commands: string): string => {
    const ran = shell(commands)
    expect(ran.exit, `${commands}\n${ran.out}${ran.err}`).toBe(0)
    return ran.out
  }
  /** Of each kind that the cluster knows, without what is the user's own. */
  function everything(): readonly string[] {
    const kinds = must('kubectl api-resources --verbs=list -o name')
      .trim()
      .split('\n')
      .filter((kind) => !/^events(\.|$)/.test(kind))
    const own = must('kubectl get service web --ignore-not-found -o jsonpath={.spec.clusterIP}')
    return must(`kubectl get ${kinds.join(',')} -A -o name --ignore-not-found`)
      .split('\n')
      .filter((name) => !name.includes('/web') && (own === '' || !name.endsWith(`/${own}`)))
      .sort()
  }
  const image = () =>
    must(
      'kubectl get pods -n metallb-system ' +
        '-o jsonpath=\'{range .items[*]}{.spec.containers[*].image}{"\\n"}{end}\'',
    )
  const images = (): readonly string[] => [...new Set(image().trim().split('\n'))]
  const web = (path: string) => must(`kubectl get service web -o jsonpath='{${path}}'`)
  const address = () => web('.status.loadBalancer.ingress[0].ip')

  async function answers(): Promise<void> {
    const steps = consoleIn(section('Ask it'))
    expect(steps).not.toEqual([])
    for (const { command, output } of steps) {
      const look = () => shell(command).out === output || undefined
      await until(command, look, 60_000).catch(() => expect(shell(command).out).toBe(output))
    }
  }
  const isWell = () =>
    until(
      'nothing is wrong',
      () => shell('berth status --exit-code').exit === 0 || undefined,
    ).catch(() => expect(shell('berth status --exit-code')).toMatchObject({ exit: 0 }))
  const install = () => blocks('Install', 'sh').forEach(must)
  const create = () => {
    const title = 'Create a pool, an advertisement and a Service'
    writeFileSync(join(work, 'first.yaml'), blocks(title, 'yaml').join(''))
    blocks(title, 'sh').forEach(must)
  }

  test('from helm install to a request that is answered', async () => {
    install()
    create()
    await answers()
    expect(must(lookAtPods)).toContain('pod/berth-controller')
    for (const lines of blocks('Ask it', 'sh')) expect(must(lines)).toContain(address())
    await isWell()
  })

  test('an upgrade and the way back change no address', async () => {
    const had = address()
    const versions = ['0.2.0', '0.1.0', '0.1.0', '0.2.0']
    const steps = blocks('Upgrade and roll back', 'sh')
    expect(steps).toHaveLength(versions.length)
    for (const [at, lines] of steps.entries()) {
      must(lines)
      await until('one version runs', () => images().length === 1 || undefined, 60_000)
      expect(images()).toEqual([`berth:${versions[at]}`])
      await answers()
      expect(address()).toBe(had)
      await isWell()
    }
  })

  test('after helm uninstall a Service keeps its address, and has it with the manifest too', async () => {
    const had = address()
    must(lostPool)
    const lost = () => must(`${ofLost} -o jsonpath='{.status.loadBalancer.ingress[0].ip}'`)
    await until('the pool to be lost is used', () => lost() === '10.10.100.10' || undefined)
    blocks('Uninstall', 'sh').forEach(must)
    await until('no pod is left', () => images().join('') === '' || undefined, 60_000)
    must('kubectl delete ipaddresspool lan -n metallb-system')
    expect([address(), lost()]).toEqual([had, '10.10.100.10'])
    expect(manifestCommand).not.toBe('')
    must(manifestCommand)
    must(rolledOut)
    await answers()
    expect([address(), lost()]).toEqual([had, '10.10.100.10'])
  })

  test('a pool that is lost is released as the guide shows', () => {
    const steps = consoleIn(here(installing))
    expect(steps).toHaveLength(2)
    for (const { command, output } of steps) expect(shell(command).out).toBe(output)
    must(`${ofLost} && kubectl delete namespace shop`)
  })

  test('the manifest goes, and nothing is left', () => {
    const [all = '', conditions = ''] = blocks('Remove everything', 'sh')
    const [, instead = ''] = /`(kubectl delete -f .*?)`/.exec(section('Remove everything')) ?? []
    must(all.replace(/^helm uninstall[\s\S]*/m, instead))
    must(conditions)
    nothingIsLeft()
  })

  test('helm installs once more and all of it goes, and nothing is left', async () => {
    install()
    create()
    await until('an address', () => address() || undefined)
    blocks('Remove everything', 'sh').forEach(must)
    nothingIsLeft()
  })

  test('those were all commands of the page', () => {
    const titles = page
      .split(/^## (?:\d\. )?/m)
      .filter((text) => /^```(?:sh|console)$/m.test(text))
      .map((text) => text.split('\n', 1).join())
    expect(titles.filter((title) => !sections.has(title))).toEqual([])
  })

  function nothingIsLeft(): void {
    expect(everything()).toEqual(before)
    const left = JSON.parse(must('kubectl get service web -o json'))
    expect(left.status).toEqual({ loadBalancer: {} })
    expect(JSON.stringify(left.metadata)).not.toMatch(/berth|metallb/)
  }
})

const rolledOut = `kubectl -n metallb-system rollout status deployment/berth-controller
kubectl -n metallb-system rollout status daemonset/berth-speaker`

/** What the guide to installing has to release. */
const ofLost = 'kubectl get service web -n shop'
const lostPool = `kubectl create namespace shop
kubectl apply -f - <<'END'
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: lan, namespace: metallb-system}
spec: {addresses: [10.10.100.10/32]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, annotations: {metallb.io/address-pool: lan}}
spec: {type: LoadBalancer, ports: [{port: 80}]}
END`
