// What is in the pod of a DNSMasq? dnsmasq with the arguments of its Deployment, and `berth dns-hosts`
// beside it; here as two processes on one folder.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import { freePort } from '../../src/app/openstack/dns/freePort.ts'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { newFolder } from '../build/newFolder.ts'
import { verbs } from '../kube/cluster.ts'
import { type Program, startProgram } from '../kube/program.ts'
import { until } from '../kube/waits.ts'
import { command, type Up } from '../up/berth.ts'

const namespace = 'openstack'
const deployments: Resource = { group: 'apps', version: 'v1', plural: 'deployments', namespace }
type Container = { readonly name: string; readonly args: readonly string[] }

export type Pod = {
  readonly port: number
  readonly dnsmasq: Program
  /** The container that writes the hosts. */
  readonly hosts: Program
  /** Ends what writes them in it; another one does afterwards. */
  readonly killHosts: () => Promise<void>
  /** Annotations of the pods that the Deployment would make now: others replace them. */
  readonly options: () => Promise<Readonly<Record<string, string>> | undefined>
}

export async function startPod({ api, folder: { kubeconfig } }: Up): Promise<Pod> {
  const folder = newFolder()
  const hosts = join(folder, 'hosts')
  mkdirSync(hosts)
  // dnsmasq takes every file of its folder for options.
  const servers = newFolder()
  for (const one of [folder, hosts, servers]) chmodSync(one, 0o755)
  const port = await freePort({
    address: '127.0.0.1',
    first: 15_353,
    before: undefined,
    taken: new Set(),
  })
  const { metadata, spec } = await until('there is a Deployment', () => templateIn(api))
  const containers = [...spec.initContainers, ...spec.containers]
  writeFileSync(join(folder, 'config.cfg'), metadata.annotations['berth.dev/dnsmasq-options'] ?? '')
  const here = (args: readonly string[]) =>
    args.map((arg) =>
      arg
        .replace('/etc/dnsmasq.d', folder)
        .replace('/etc/dnsmasq.servers', servers)
        .replace('$(POD_IP)', '127.0.0.1')
        .replace(/^--port=.*/, `--port=${port}`)
        .replace('--interface=*', '--interface=lo'),
    )
  const argsOf = (name: string) => here(containers.find((one) => one.name === name)?.args ?? [])
  const env = { ...process.env, KUBECONFIG: kubeconfig, POD_NAMESPACE: namespace }
  const start = (name: string) => {
    const args = ['dns-hosts', ...argsOf(name)]
    const program = startProgram({ name, path: command, args, folder, env })
    onTestFinished(() => program.stop())
    return program
  }
  const first = start('hosts-init')
  await until('the init container has ended', () => first.hasEnded() || undefined)
  const args = [...argsOf('dnsmasq-dns'), '--user=root']
  const dnsmasq = startProgram({ name: 'dnsmasq', path: 'dnsmasq', args, folder })
  onTestFinished(() => dnsmasq.stop())
  const writer = start('hosts')
  return {
    port,
    dnsmasq,
    hosts: writer,
    async killHosts() {
      const worker = await until('hosts are written', () => workerOf(writer.pid))
      process.kill(worker, 'SIGKILL')
      await until('and again', () => {
        const next = workerOf(writer.pid)
        return next === undefined || next === worker ? undefined : true
      })
    },
    options: async () => (await templateIn(api))?.metadata.annotations,
  }
}

/** What the container started; not the guard of the test. */
function workerOf(pid: number): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const found = children.find((one) => existsSync(`/proc/${one}`) && isWorker(one))
  return found === undefined ? undefined : Number(found)
}

const isWorker = (pid: string): boolean =>
  pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('dns-hosts')

type Template = {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> }
  readonly spec: {
    readonly containers: readonly Container[]
    readonly initContainers: readonly Container[]
  }
}

async function templateIn(api: Up['api']): Promise<Template | undefined> {
  const found = await verbs(api, deployments)
    .get('dnsmasq-dns')
    .catch(() => undefined)
  return (found as { spec: { template: Template } } | undefined)?.spec.template
}
