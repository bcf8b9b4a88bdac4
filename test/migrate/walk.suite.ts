// Does `berth migrate` lead from MetalLB to Berth and back, whenever it is killed? No address
// changes, and one node answers for each; every command of docs/guides/migrate.md's walk is run.
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { definitionsEstablished } from '../kube/helm/programs.ts'
import { until } from '../kube/waits.ts'
import { configuration, memberlistSecret, metallbObjects, service } from './metallbObjects.ts'
import { repeated } from './repeated.ts'
import { type Ran, type Rig, startRig } from './rig.ts'
import { answeredByOne, watched } from './watched.ts'

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

/** As frr-k8s defines it, as far as the walk reads it. */
const frrDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'frrconfigurations.frrk8s.metallb.io' },
  spec: {
    group: 'frrk8s.metallb.io',
    scope: 'Namespaced',
    names: { kind: 'FRRConfiguration', plural: 'frrconfigurations', singular: 'frrconfiguration' },
    versions: [
      {
        ...{ name: 'v1beta1', served: true, storage: true },
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
}
const frrConfiguration = (name: string): object => ({
  ...{ apiVersion: 'frrk8s.metallb.io/v1beta1', kind: 'FRRConfiguration' },
  metadata: { name, namespace: 'metallb-system' },
})

/** As its manifest has it, without its program: what it would undo is not undone here. */
const operator = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'metallb-operator-controller-manager',
    namespace: 'metallb-system',
    labels: { 'control-plane': 'controller-manager' },
  },
  spec: {
    selector: { matchLabels: { 'control-plane': 'controller-manager' } },
    template: {
      metadata: { labels: { 'control-plane': 'controller-manager' } },
      spec: {
        nodeSelector: { 'berth.dev/none': 'x' },
        containers: [
          {
            ...{ name: 'manager', image: 'metallb/operator', command: ['/manager'] },
            env: ['SPEAKER_IMAGE', 'CONTROLLER_IMAGE'].map((name) => ({ name, value: 'x' })),
          },
        ],
      },
    },
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
/** chart.suite.ts runs what is for another namespace. */
const walked = new Set([...commands].filter((command) => command.includes('NAMESPACE ')))
const secured = [...commands].filter((command) => /secure-metrics|prometheus-reads/.test(command))

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
  for (let seconds = 2; ; seconds += 2 + Math.round(seconds / 3)) {
    const ran = rig.shell(`timeout -s KILL ${seconds} ${command} --timeout 60 || exit $?`)
    if (ran.exit !== 137) return ran
  }
}

/** While it is done no address is without any answer, and afterwards one node answers for each. */
async function onWire(work: () => Promise<void> | void): Promise<void> {
  const ips = Object.values(addresses())
  const during = await watched(rig, ips, async () => work())
  expect(during.filter(({ gapMs }) => gapMs < 0)).toEqual([])
  await answeredByOne(rig, ips)
}

/** Runs it to its end, and at each of these lines of what it says does something to the cluster. */
async function walkDisturbed(
  command: string,
  disturb: Readonly<Record<string, () => Promise<void> | void>>,
): Promise<Ran> {
  const walking = rig.start(command)
  const [out, err]: string[][] = [[], []]
  const left = new Map(Object.entries(disturb))
  const works: (Promise<void> | void)[] = []
  walking.stdout?.on('data', (chunk) => out?.push(String(chunk)))
  walking.stderr?.on('data', (chunk) => {
    err?.push(String(chunk))
    for (const [line, work] of left) {
      if (!String(chunk).includes(line)) continue
      left.delete(line)
      works.push(work())
    }
  })
  const [exit] = await once(walking, 'exit')
  await Promise.all(works)
  expect([...left.keys()]).toEqual([])
  return { exit, out: out?.join('') ?? '', err: err?.join('') ?? '' }
}

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
    for (const name of ['metallb-system', 'monitoring']) rig.kubectl(['create', 'namespace', name])
    rig.kubectl(['create', 'serviceaccount', 'prometheus', '-n', 'monitoring'])
    const crds = ['apply', '--server-side', '-f', 'deploy/crds']
    rig.kubectl(crds)
    apply([frrDefinition])
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

  test('an operator has to go first, and then the walk goes on', () => {
    apply([operator])
    const owner = { apiVersion: 'metallb.io/v1beta1', kind: 'MetalLB', name: 'metallb', uid: 'x' }
    const owned = (kind: string, ownerReferences: readonly object[] | null) => {
      const patch = JSON.stringify({ metadata: { ownerReferences } })
      rig.kubectl([
        '-n',
        'metallb-system',
        'patch',
        ...kind.split(' '),
        '--type=merge',
        '-p',
        patch,
      ])
    }
    const check = () => rig.shell('berth migrate check')
    for (const kind of ['deployment controller', 'daemonset speaker']) owned(kind, [owner])
    const found = check()
    expect(found.out).toContain('error operator-keeps-metallb MetalLB/metallb-system/metallb')
    const { exit, err } = rig.shell('berth migrate step')
    expect([exit, err]).toEqual([1, expect.stringContaining('an operator keeps MetalLB as it is')])
    const [, fix = ''] = /^ *fix: (kubectl .*control-plane.*)$/m.exec(found.out) ?? []
    expect(rig.shell(fix)).toMatchObject({ exit: 0 })
    expect(check().out).not.toContain('operator-keeps-metallb')
    expect(rig.shell('berth migrate plan').out).toContain('by operator')
    for (const kind of ['deployment controller', 'daemonset speaker']) owned(kind, null)
  })

  test('the way in, killed again and again', async () => {
    apply([...rig.nodes.map((node) => `metallb-${node}`), 'mine'].map(frrConfiguration))
    await onWire(() => {
      const ran = walkKilled('berth migrate step --all')
      expect(ran.exit, ran.err).toBe(0)
    })
    expect(addresses()).toEqual(before)
    const frr = rig.kubectl(['get', 'frrconfigurations', '-n', 'metallb-system', '-o', 'name'])
    expect(frr.trim()).toBe('frrconfiguration.frrk8s.metallb.io/mine')
    expect(guided('./berth migrate status')).toMatchObject({ exit: 0 })
    expect(guided('./berth migrate step --all').out).toContain('nothing is left to do')
    const status = rig.shell('berth status --exit-code')
    expect([status.exit, status.out]).toEqual([0, expect.stringContaining('Problems  none')])
  })

  const status = () => rig.shell('berth status --exit-code')
  const shows = (what: string) =>
    until(`berth status shows ${what}`, () => status().out.includes(what) || undefined, 60_000)
  const isWell = async () => {
    await until('berth status is well', () => status().exit === 0 || undefined, 60_000).catch(() =>
      expect(status()).toMatchObject({ exit: 0 }),
    )
    expect(addresses()).toEqual(before)
  }

  test('pools lost with their definition freeze addressing, which is seen, and come back', async () => {
    expect(status().out).toContain('1 on standby')
    rig.kubectl(['delete', 'crd', 'ipaddresspools.metallb.io'])
    await shows('! frozen CustomResourceDefinition/ipaddresspools.metallb.io')
    expect(status().exit).toBe(2)
    rig.crash()
    rig.kubectl(['apply', '--server-side', '-f', 'deploy/crds'])
    await definitionsEstablished((...args) => rig.kubectl(args))
    await shows('pools-lost')
    expect([status().exit, addresses()]).toEqual([2, before])
    apply([...configuration])
    await isWell()
  })

  test('configuration that cannot be used is seen', async () => {
    const checks = 'validatingwebhookconfiguration/berth-webhook-configuration'
    const kept = rig.kubectl(['get', checks, '-o', 'json'])
    rig.kubectl(['delete', checks])
    const metadata = { name: 'twice', namespace: 'metallb-system' }
    const twice = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool', metadata }
    apply([{ ...twice, spec: { addresses: ['10.10.100.0/28'] } }])
    await shows('! invalid ConfigurationState/controller')
    expect(status().exit).toBe(2)
    rig.kubectl(['delete', 'ipaddresspool', 'twice', '-n', 'metallb-system'])
    const { metadata: meta, ...checking } = JSON.parse(kept)
    const { uid: _, resourceVersion: __, creationTimestamp: ___, ...own } = meta
    apply([{ ...checking, metadata: own }])
    await isWell()
  })

  test('a speaker of MetalLB that hangs in Pending stops the way back, and Berth goes on', async () => {
    rig.kubectl(['-n', 'metallb-system', 'delete', 'secret', 'memberlist'])
    try {
      const { exit, err } = rig.shell('berth migrate back --one --timeout 5')
      expect([exit, err]).toEqual([1, expect.stringContaining('on node-1 is not ready')])
      expect(err).toContain('node-1 is drained and announces nothing')
      expect(rig.shell('berth status').out).not.toContain('! silent')
    } finally {
      // Without it the way back would wait for ever.
      apply([memberlistSecret])
    }
  })

  test('the way back, killed again and again: nothing of Berth is left', async () => {
    expect(guided('./berth migrate back --dry-run').exit).toBe(2)
    await onWire(() => {
      const ran = walkKilled('berth migrate back')
      expect(ran.exit, ran.err).toBe(0)
    })
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
    for (const command of secured) expect(guided(command), command).toMatchObject({ exit: 0 })
    await installed()
    const scraped = () =>
      rig.shell(
        'token=$(kubectl -n monitoring create token prometheus); ' +
          'curl -sSk --noproxy "*" -H "Authorization: Bearer $token" https://10.1.0.11:9130/metrics',
      )
    await until('metrics are read', () => /^metallb_/m.test(scraped().out) || undefined, 120_000)
    // The control plane and every program of a pod die in the middle of it, and the walk goes on.
    await onWire(async () => {
      const ran = await walkDisturbed('berth migrate step --all', {
        'controller: ': () => rig.crashControl('kube-apiserver'),
        'node-1: Berth': () =>
          rig.crashControl('kube-scheduler', 'kube-controller-manager', 'kube-apiserver', 'etcd'),
        'node-2: Berth': () => rig.crash(),
      })
      expect(ran.exit, ran.err).toBe(0)
    })
    const dry = guided('./berth migrate finish --dry-run')
    expect([dry.exit, dry.out]).toEqual([2, expect.stringContaining('daemonset/speaker')])
    expect(dry.out).not.toMatch(/customresourcedefinition|namespace\/|ipaddresspool/)
    // As printed: MetalLB goes, and what else is there is there afterwards.
    for (const [command] of dry.out.matchAll(/kubectl (-n \S+ )?delete .*/g)) {
      expect(rig.shell(command), command).toMatchObject({ exit: 0 })
    }
    await onWire(() => {
      const done = walkKilled('berth migrate finish')
      expect(done.exit, done.err).toBe(0)
    })
    expect(guided('./berth migrate finish').out).toContain('nothing is left to do')
    expect(addresses()).toEqual(before)
    const out = rig.kubectl(['get', 'all,ipaddresspools', '-n', 'metallb-system', '-o', 'name'])
    expect(out).toContain('ipaddresspool.metallb.io/lan')
    expect(out).not.toMatch(/\/(speaker|controller)/)
    expect(rig.shell('berth status --exit-code').exit).toBe(0)
    expect(rig.shell('berth migrate status').out).toContain('MetalLB is not installed')
  })

  test('nothing was logged every second', () => {
    const logs = readdirSync(rig.folder).filter((name) => /^pod-berth-.*\.log$/.test(name))
    expect(logs.length).toBeGreaterThan(rig.nodes.length)
    const said = logs.flatMap((name) => repeated(readFileSync(`${rig.folder}/${name}`, 'utf8'), 5))
    expect(said).toEqual([])
  })

  test('that was every command of the guide', () => {
    expect([...commands].filter((command) => !walked.has(command))).toEqual([])
  })
})
