// What is in the pod of a DNSMasq? dnsmasq with the arguments of its Deployment, and `berth dns-hosts`
// beside it; here as two processes on one folder.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
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
  /** Ends the container that writes the hosts, and starts it again as kubelet would. */
  readonly killHosts: () => Promise<void>
}

export async function startPod({ api, folder: { kubeconfig } }: Up): Promise<Pod> {
  const folder = newFolder()
  const hosts = join(folder, 'hosts')
  mkdirSync(hosts)
  for (const one of [folder, hosts]) chmodSync(one, 0o755)
  writeFileSync(join(folder, 'config.cfg'), '')
  const port = await freePort({
    address: '127.0.0.1',
    first: 15_353,
    before: undefined,
    taken: new Set(),
  })
  const containers = await until('there is a Deployment', () => containersIn(api))
  const here = (args: readonly string[]) =>
    args.map((arg) =>
      arg
        .replace('/etc/dnsmasq.d', folder)
        .replace('$(POD_IP)', '127.0.0.1')
        .replace(/^--port=.*/, `--port=${port}`)
        .replace('--interface=*', '--interface=lo'),
    )
  const argsOf = (name: string) => here(containers.find((one) => one.name === name)?.args ?? [])
  const env = { ...process.env, KUBECONFIG: kubeconfig, POD_NAMESPACE: namespace }
  const startHosts = (...more: readonly string[]) => {
    const args = ['dns-hosts', ...argsOf('hosts'), ...more]
    const program = startProgram({ name: 'dns-hosts', path: command, args, folder, env })
    onTestFinished(() => program.stop())
    return program
  }
  const first = startHosts('--once')
  await until('the init container has ended', () => first.hasEnded() || undefined)
  const args = [...argsOf('dnsmasq-dns'), '--user=root']
  const dnsmasq = startProgram({ name: 'dnsmasq', path: 'dnsmasq', args, folder })
  onTestFinished(() => dnsmasq.stop())
  let running = startHosts()
  return {
    port,
    dnsmasq,
    async killHosts() {
      await running.stop('SIGKILL')
      running = startHosts()
    },
  }
}

type Deployment = { spec: { template: { spec: { containers: readonly Container[] } } } }

async function containersIn(api: Up['api']): Promise<readonly Container[] | undefined> {
  const found = await verbs(api, deployments)
    .get('dnsmasq-dns')
    .catch(() => undefined)
  return (found as Deployment | undefined)?.spec.template.spec.containers
}
