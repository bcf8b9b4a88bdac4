// Do the examples and the guides' manifests do on a running API what is said of them?
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { type Machine, newMachine } from './machine.ts'

let machine: Machine
const kubeconfig = 'export KUBECONFIG=~/.local/share/berth/kubeconfig'
const run = (command: string) => machine.shell(`${kubeconfig}\n${command}`)
const up = (...args: readonly string[]) =>
  machine.shell(`berth up --background --port 0 ${args.join(' ')}`)

type Planned = { readonly service: string; readonly after: readonly string[] }
type Service = {
  readonly metadata: { readonly namespace: string; readonly name: string }
  readonly status: { readonly loadBalancer: { readonly ingress?: readonly { ip: string }[] } }
}

const planned = (text: string): Record<string, readonly string[]> => {
  const { addresses } = JSON.parse(text) as { addresses: readonly Planned[] }
  return Object.fromEntries(addresses.map(({ service, after }) => [service, after]))
}

function addressed(): Record<string, readonly string[]> {
  const { items } = JSON.parse(run('kubectl get services -A -o json').text) as { items: Service[] }
  const own = items.filter(({ metadata }) => metadata.namespace !== 'default')
  return Object.fromEntries(
    own.map(({ metadata: { namespace, name }, status }) => {
      const ips = (status.loadBalancer.ingress ?? []).map(({ ip }) => ip)
      return [`${namespace}/${name}`, ips]
    }),
  )
}

const sorted = (some: object): string => JSON.stringify(Object.entries(some).sort())
const becomes = (wanted: object) =>
  until('the addresses are as planned', async () =>
    sorted(addressed()) === sorted(wanted) ? true : undefined,
  )

describe.skipIf(inject('kubectl') === '')('on berth up', () => {
  beforeAll(() => {
    machine = newMachine()
  })
  afterAll(() => machine?.remove())

  test('the example cluster gets what berth plan says of it', async () => {
    const plan = planned(run('berth plan -f examples/cluster -o json').text)
    expect(up('--with', 'examples/cluster').text).toContain('objects from examples/cluster')
    await becomes(plan)
    expect(run('berth lint --live').text).toContain('quota-exceeded')
  })

  test('without a kubeconfig our verbs ask the berth up that runs here, and say so', () => {
    const asking = /^berth: no kubeconfig is named: asking the 'berth up' that runs here, https:/
    for (const verb of ['status', 'lint --live', 'explain service openstack/keystone-internal']) {
      expect(machine.shell(`berth ${verb}`).text).toMatch(asking)
    }
    const plan = machine.shell('berth plan -f examples/change --live -o json 2>/dev/null')
    expect(planned(plan.text)).not.toEqual({})
    const missing = machine.shell('KUBECONFIG=~/missing berth status')
    expect(missing).toMatchObject({ exit: 1, text: expect.stringContaining('no API server') })
  })

  test('a change does what berth plan --live says of it', async () => {
    const plan = planned(run('berth plan -f examples/change --live -o json').text)
    expect(run('kubectl apply -f examples/change').exit).toBe(0)
    await becomes(plan)
    const said = run('berth explain service openstack2/rabbitmq-cell1').text
    expect(said).toContain('Service openstack2/rabbitmq-cell1 holds 172.27.0.86')
    expect(run('berth lint --live').text).toMatch(/^no findings/)
    run('berth down')
  })
})

describe.skipIf(inject('kubectl') === '')('the guide to berth up', () => {
  beforeAll(() => {
    machine = newMachine()
  })
  afterAll(() => machine?.remove())

  const guide = readFileSync('docs/guides/up.md', 'utf8')
  const all = [...guide.matchAll(/^```sh\n((.*?)\n.*?)^```/gms)].map(
    ([, lines = '', first = '']) => ({ lines, first }),
  )
  const blocks = all.filter(({ lines }) => lines.includes('berth down'))
  const blockWith = (text: string) => all.find(({ lines }) => lines.includes(text))?.lines ?? ''
  // Ports may be taken here; the rest is word for word.
  const here = (lines: string) =>
    lines.replaceAll('berth up --background', 'berth up --background --port 0').replace('7444', '0')

  test.each(blocks)('does what it says, from $first on', ({ lines }) => {
    const { exit, text } = machine.shell(`set -e\n${here(lines)}`)
    expect(text).toMatch(/^stopped: process \d+$/m)
    expect(exit).toBe(0)
  })

  test('a backup is restored into another directory', () => {
    up()
    run('kubectl create namespace kept')
    const elsewhere = '~/restored --background --port 0'
    const { exit, text } = run(
      `set -e; cd ~\n${blockWith('berth backup').replace('DIR', elsewhere)}`,
    )
    expect(exit, text).toBe(0)
    const get = 'kubectl --kubeconfig ~/restored/kubeconfig get namespace kept -o name'
    expect(machine.shell(get).text).toBe('namespace/kept\n')
    machine.shell('berth down --data ~/restored')
  })

  test('tokens are made, listed and revoked', () => {
    run('kubectl create namespace shop')
    const id = "$(berth token --list | awk 'NR==2 {print $1}')"
    const lines = blockWith('berth token --list').replace('3f0c9a1b27', id)
    const { exit, text } = run(`set -e; cd ~\n${lines}`)
    expect(text).toMatch(/^ID .*UNTIL/m)
    expect(exit, text).toBe(0)
    const read = machine.shell('kubectl --kubeconfig ~/reader.kubeconfig get services')
    expect(read.text).toContain('Unauthorized')
  })
})

const fence = /^```yaml\n(.*?)^```/gms
/** Those of a cluster are walked on one: test/kube. */
const guides = readdirSync('docs/guides').filter((file) => !/^(install|migrate)/.test(file))
const blocks = [...guides.map((file) => `docs/guides/${file}`), 'docs/start.md'].flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(fence)]
    .map(([, yaml = '']) => ({ where: file, yaml }))
    .filter(({ yaml }) => !yaml.includes('kind: Scenario'))
})

describe.skipIf(inject('kubectl') === '')("the guides' manifests", () => {
  beforeAll(() => {
    machine = newMachine()
    up()
  })
  afterAll(() => machine?.remove())

  test.each(blocks)('of $where are taken', ({ yaml }) => {
    const file = join(tmpdir(), `berth-guide-${process.pid}.yaml`)
    writeFileSync(file, yaml)
    for (const [, name] of yaml.matchAll(/^ {2}namespace: (\S+)$/gm)) {
      run(`kubectl create namespace ${name} --save-config`)
    }
    const { exit, text } = run(`kubectl apply -f ${file}`)
    expect(text).not.toMatch(/error|warning/i)
    expect(exit).toBe(0)
    run(`kubectl delete -f ${file}`)
  })
})
