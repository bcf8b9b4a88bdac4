// What stands behind a question? A machine with `berth up`, its DNS server, and dig.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { core, merge, verbs } from '../kube/cluster.ts'
import { until } from '../kube/waits.ts'
import { newData, startUp } from '../up/berth.ts'

const namespace = 'openstack'
const openstack = (plural: string): Resource => ({
  group: 'network.openstack.org',
  version: 'v1beta1',
  plural,
  namespace,
})
const apiVersion = 'network.openstack.org/v1beta1'

const usualPath = process.env['PATH'] ?? ''
/** As on a machine where nobody installed it. */
export const pathWithoutDnsmasq = usualPath
  .split(':')
  .filter((folder) => !existsSync(join(folder, 'dnsmasq')))
  .join(':')

type Host = readonly [ip: string, ...names: readonly string[]]
const hostsOf = (hosts: readonly Host[]) => hosts.map(([ip, ...hostnames]) => ({ ip, hostnames }))
type Option = { readonly key: string; readonly values: readonly string[] }
type Status = {
  readonly dnsAddresses?: readonly string[]
  readonly readyCount?: number
  readonly conditions?: readonly { readonly type: string; readonly message: string }[]
}

type Given = { readonly path?: string; readonly args?: readonly string[] }

export async function newMachine(folder = newData(), given: Given = {}) {
  const { path = usualPath, args = [] } = given
  process.env['PATH'] = path
  const up = await startUp(folder, ...args).finally(() => {
    process.env['PATH'] = usualPath
  })
  const { api } = up
  const [servers, data] = [verbs(api, openstack('dnsmasqs')), verbs(api, openstack('dnsdata'))]
  const maps = verbs(api, core('configmaps', namespace))
  const statusOf = async (): Promise<Status> =>
    ((await servers.get('dns')) as { status?: Status }).status ?? {}
  const make = (kind: string, name: string, spec: object) => ({
    apiVersion,
    kind,
    metadata: { name },
    spec,
  })
  return {
    up,
    folder,
    maps,
    servers,
    data,
    newNamespace: () => verbs(api, core('namespaces')).create({ metadata: { name: namespace } }),
    serve: (...options: readonly Option[]) => servers.create(make('DNSMasq', 'dns', { options })),
    configure: (...options: readonly Option[]) =>
      servers.patch('dns', { type: merge, body: { spec: { options } } }),
    register: (name: string, ...hosts: readonly Host[]) =>
      data.create(make('DNSData', name, { hosts: hostsOf(hosts) })),
    change: (name: string, ...hosts: readonly Host[]) =>
      data.patch(name, { type: merge, body: { spec: { hosts: hostsOf(hosts) } } }),
    /** Where it answers. */
    port: () =>
      until('a DNS server answers', async () => {
        const { dnsAddresses = [], readyCount } = await statusOf()
        return readyCount === 1 ? Number(dnsAddresses[0]?.split(':').at(-1)) : undefined
      }),
    message: (type: string, wanted: RegExp) =>
      until(`${type} says ${wanted}`, async () => {
        const { conditions = [] } = await statusOf()
        const { message = '' } = conditions.find((one) => one.type === type) ?? {}
        return wanted.test(message) ? message : undefined
      }),
    /** Of the dnsmasq that answers now. */
    pid: () => {
      const place = readFileSync(join(folder.path, 'dns'), 'utf8')
      return Number(readFileSync(join(place, 'openstack.dns', 'pid'), 'utf8'))
    },
  }
}

const digArgs = (port: number, question: readonly string[]): readonly string[] => [
  ...['@127.0.0.1', '-p', `${port}`, '+time=2', '+tries=2'],
  ...question,
]

/** What dig prints, one line for each answer; its status if there is none. */
export function dig(port: number, ...question: readonly string[]): string {
  return answerIn(spawnSync('dig', digArgs(port, question), { encoding: 'utf8' }).stdout)
}

/** While this process has something to do with the answer. */
export async function digMeanwhile(port: number, ...question: readonly string[]): Promise<string> {
  const child = spawn('dig', digArgs(port, question), { stdio: ['ignore', 'pipe', 'ignore'] })
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  await new Promise((resolve) => child.on('close', resolve))
  return answerIn(stdout)
}

function answerIn(stdout: string): string {
  const [, answers = ''] = /;; ANSWER SECTION:\n([\s\S]*?)\n\n/.exec(stdout) ?? []
  if (answers === '') return /status: (\w+)/.exec(stdout)?.[1] ?? 'no answer'
  const values = answers.split('\n').map((line) => line.split(/\s+/).slice(4).join(' '))
  return values.sort().join('\n')
}

export const answers = (port: number, question: readonly string[], wanted: string): Promise<true> =>
  until(`${question.join(' ')} is answered with ${wanted}`, () => {
    return dig(port, ...question) === wanted ? true : undefined
  })

/** Another DNS server, that ours can ask: what it has under `address`, or options. */
export function otherServer(port: number, ...records: readonly string[]): void {
  const args = ['--no-daemon', '--conf-file=/dev/null', '--no-resolv', '--no-hosts', '--pid-file=']
  const place = ['--listen-address=127.0.0.1', '--bind-interfaces', `--port=${port}`]
  const child = spawn('dnsmasq', [...args, ...place, ...records.map(optionOf)], {
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
}

const optionOf = (record: string): string =>
  record.startsWith('--') ? record : `--address=${record}`
