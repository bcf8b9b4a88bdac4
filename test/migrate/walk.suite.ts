// Does `berth migrate` lead from MetalLB to Berth and back, whenever it is killed? No address
// changes, and one node answers for each; every command of docs/guides/migrate.md's walk is run.
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { definitionsEstablished } from '../kube/helm/programs.ts'
import { until } from '../kube/waits.ts'
import { configuration, memberlistSecret, metallbObjects, service } from './metallbObjects.ts'
import { type Ran, type Rig, startRig } from './rig.ts'

const names = Array.from({ length: 12 }, (_, at) => `web-${at + 1}`)
const guide = readFileSync('docs/guides/migrate.md', 'utf8')
const standIn = (part: string) => [process.execPath, `${import.meta.dirname}/standIn.ts`, part]

const legacy = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'config', namespace: 'metallb-system' },
  data: {
    config: 'address-pools:\n- {name: Old_Pool, protocol: layer2, addresses: [10.10.101.0/30]}\n',
  },
}

let rig: Rig
const apply = (objects: readonly object[]): void => {
  for (const object of objects) rig.kubectl(['apply', '-f', '-'], JSON.stringify(object))
}
const addresses = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    JSON.parse(rig.kubectl(['get', 'services', '-o', 'json'])).items.flatMap(
      ({ metadata, status }: { metadata: { name: string }; status: Shown }) => {
        const ip = status.loadBalancer?.ingress?.[0]?.ip
        return ip === undefined ? [] : [[metadata.name, ip]]
      },
    ),
  )
type Shown = { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip: string }[] } }

const commands = new Set(
  [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  ),
)
const walked = new Set<string>()

/** As the guide has it, in a folder that looks like a clone. */
function guided(command: string): Ran {
  expect(commands).toContain(command)
  walked.add(command)
  return rig.shell(`cd '${rig.folder}/clone'; ${command}`)
}
const stepsIn = (out: string): readonly { readonly name: string; readonly done: boolean }[] =>
  JSON.parse(out).steps

const installed = () =>
  until(
    'Berth runs on every node',
    () => stepsIn(rig.shell('berth migrate plan -o json').out)[0]?.done || undefined,
    60_000,
  )

/** Kills the walk ever later, until it comes to its end; what the wire says is asked at the end. */
function walkKilled(command: string): Ran {
  for (let seconds = 2; ; seconds += 3) {
    const ran = rig.shell(`timeout -s KILL ${seconds} ${command} --timeout 60 || exit $?`)
    if (ran.exit !== 137) return ran
  }
}

/** Every address has an answer from one machine, asked by the walk's own check. */
const onWire = (err: string): string[] => err.match(/asked on the wire: \d+ address/g) ?? []

describe.skipIf(inject('engine') === '')('berth migrate', () => {
  let before: Readonly<Record<string, string>> = {}

  beforeAll(async () => {
    const images = {
      'metallb/controller': standIn('controller'),
      'metallb/speaker': standIn('speaker'),
    }
    rig = await startRig({ engine: inject('engine'), kubectl: inject('kubectlPath'), images })
    mkdirSync(`${rig.folder}/clone`)
    for (const name of ['berth', 'deploy'])
      symlinkSync(resolve(name), `${rig.folder}/clone/${name}`)
    rig.kubectl(['create', 'namespace', 'metallb-system'])
    const crds = ['apply', '--server-side', '-f', 'deploy/crds']
    rig.kubectl(crds)
    await definitionsEstablished((...args) => rig.kubectl(args))
    for (const name of ['addresses', 'tenants']) rig.kubectl(['get', `${name}.berth.dev`])
    apply([...metallbObjects, ...configuration, ...names.flatMap(service)])
    await until(
      'MetalLB announces all',
      () => {
        const out = rig.kubectl(['-n', 'metallb-system', 'get', 'servicel2statuses', '-o', 'name'])
        return out.trim().split('\n').length === names.length || undefined
      },
      60_000,
    )
    before = addresses()
    expect(Object.keys(before)).toHaveLength(names.length)
  })
  afterAll(() => rig?.stop())

  test('the ConfigMap becomes resources, and the cluster is looked at', () => {
    apply([legacy])
    for (const command of [
      'kubectl -n metallb-system get configmap config -o yaml > config.yaml',
      './berth migrate configmap config.yaml > resources.yaml',
      'kubectl apply -f resources.yaml',
    ]) {
      expect(guided(command), command).toMatchObject({ exit: 0 })
    }
    const check = guided('./berth migrate check')
    expect([check.exit, check.out]).toEqual([2, expect.stringContaining('memberlist-on')])
    expect(guided('./berth status').out).toContain(`Services  ${names.length} served`)
    expect(guided('./berth lint --live')).toMatchObject({ exit: 0 })
  })

  test('the plan names what is found, and the first step is for people', () => {
    const { exit, out } = guided('./berth migrate plan')
    expect([exit, out]).toEqual([2, expect.stringContaining('memberlist  on')])
    expect(out).toContain('MetalLB     in metallb-system, by manifests')
    const stopped = guided('./berth migrate step')
    expect(stopped.exit).toBe(1)
    expect(stopped.err).toContain('install stopped: Berth is not installed')
  })

  test('both DaemonSets fit on a node, and Berth keeps silent', async () => {
    expect(guided('kubectl apply -k deploy/kustomize/beside-metallb').exit).toBe(0)
    await installed()
    await until(
      'it says that it is silent',
      () =>
        rig.shell('berth status').out.includes('! silent ConfigurationState/speaker-') || undefined,
      30_000,
    )
    expect(rig.shell('berth status --exit-code').exit).toBe(2)
  })

  test('the way in, killed again and again', () => {
    const ran = walkKilled('berth migrate step --all')
    expect([ran.exit, ran.err]).toEqual([0, expect.any(String)])
    expect(addresses()).toEqual(before)
    expect(guided('./berth migrate status')).toMatchObject({ exit: 0 })
    expect(guided('./berth migrate step --all').out).toContain('nothing is left to do')
    const status = rig.shell('berth status --exit-code')
    expect([status.exit, status.out]).toEqual([0, expect.stringContaining('Problems  none')])
  })

  test('a speaker of MetalLB that hangs in Pending stops the way back, and Berth goes on', async () => {
    rig.kubectl(['-n', 'metallb-system', 'delete', 'secret', 'memberlist'])
    const { exit, err } = rig.shell('berth migrate back --one --timeout 5')
    expect([exit, err]).toEqual([1, expect.stringContaining('on node-1 is not ready')])
    expect(rig.shell('berth status').out).not.toContain('! silent')
    apply([memberlistSecret])
  })

  test('the way back, killed again and again: nothing of Berth is left', () => {
    expect(guided('./berth migrate back --dry-run').exit).toBe(2)
    const ran = walkKilled('berth migrate back')
    expect([ran.exit, ran.err]).toEqual([0, expect.any(String)])
    expect(guided('./berth migrate back').out).toContain('nothing is left to do')
    expect(addresses()).toEqual(before)
    const left = 'deploy,ds,lease,cm,nodeinterfaces,addresses,validatingwebhookconfigurations'
    const out = rig.kubectl(['get', left, '-n', 'metallb-system', '-o', 'name'])
    expect(out).not.toMatch(/berth-|\/node-|address\.berth/)
    expect(out).toContain(
      'validatingwebhookconfiguration.admissionregistration.k8s.io/metallb-webhook',
    )
    const speaker = rig.kubectl(['-n', 'metallb-system', 'get', 'ds', 'speaker', '-o', 'json'])
    const { metadata, spec } = JSON.parse(speaker)
    expect(spec.updateStrategy.type).toBe('RollingUpdate')
    expect(spec.template.spec.affinity).toBeUndefined()
    expect(JSON.stringify(spec)).toContain('METALLB_ML_LABELS')
    expect(JSON.stringify(metadata.annotations)).not.toContain('berth.dev')
  })

  test('in once more and to the end: MetalLB is removed, and nothing else', async () => {
    rig.shell('kubectl apply -k deploy/kustomize/beside-metallb')
    await installed()
    const ran = walkKilled('berth migrate step --all')
    expect([ran.exit, ran.err]).toEqual([0, expect.any(String)])
    const dry = guided('./berth migrate finish --dry-run')
    expect([dry.exit, dry.out]).toEqual([2, expect.stringContaining('daemonset/speaker')])
    expect(dry.out).not.toMatch(/customresourcedefinition|namespace\/|ipaddresspool/)
    const done = walkKilled('berth migrate finish')
    expect([done.exit, onWire(done.err).length > 0 || done.out]).toEqual([0, expect.anything()])
    expect(guided('./berth migrate finish').out).toContain('nothing is left to do')
    expect(addresses()).toEqual(before)
    const out = rig.kubectl(['get', 'all,ipaddresspools', '-n', 'metallb-system', '-o', 'name'])
    expect(out).toContain('ipaddresspool.metallb.io/lan')
    expect(out).not.toMatch(/\/(speaker|controller)/)
    expect(rig.shell('berth status --exit-code').exit).toBe(0)
    expect(rig.shell('berth migrate status').out).toContain('MetalLB is not installed')
  })

  test('that was every command of the guide', () => {
    expect([...commands].filter((command) => !walked.has(command))).toEqual([])
  })
})
