// berth dns-hosts: the container beside dnsmasq that writes its hosts, as they are in the API now.
import process from 'node:process'
import { systemClock, timestamp } from '../../../edge/host/clock.ts'
import { newApi } from '../../../edge/kube/api/client.ts'
import { readConnection } from '../../../edge/kube/api/connection.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { yamlWhenRead } from '../../../edge/manifests/yamlWhenRead.ts'
import { dnsmasqOf } from './dnsmasqOf.ts'
import { followHosts } from './followHosts.ts'
import { followServers } from './followServers.ts'
import { keepRunning } from './keepRunning.ts'

type Terminal = {
  readonly err: (text: string) => void
  readonly signal: AbortSignal
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}
type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

const text = (help: string, value: string) => ({ type: 'string', help, value }) as const

export const dnsHostsVerb = {
  name: 'dns-hosts',
  summary: 'keep the hosts files of a DNS server up to date with its ConfigMaps',
  usage: [
    'dns-hosts --folder DIR --label VALUE [--config NAME --servers-file FILE] [--namespace NS]',
    'dns-hosts --folder DIR ... --once|--restart',
  ],
  description: `
Runs next to dnsmasq in the Pods of a DNSMasq. It watches the ConfigMaps in the namespace that have
the label dnsmasqhosts=VALUE, and writes their lines to small files in DIR, from which dnsmasq
reads them (--hostsdir). Files are replaced as a whole. If so many change at once that dnsmasq
would be busy for seconds, dnsmasq is sent SIGHUP instead, to read all of them again; for that,
this command must see its process and run as the same user.

With --config it also writes the servers among the options in that ConfigMap to FILE
(--servers-file of dnsmasq), and sends SIGHUP when they change. While the API does not answer, the
files stay as they are. In a Pod it uses the service account, elsewhere the kubeconfig. It logs
JSON lines to stderr.

Exit status: 0 after SIGTERM or SIGINT, or with --once when everything is written; 1 if no API
server is configured or DIR cannot be written.`,
  examples: ['berth dns-hosts --folder /etc/dnsmasq.d/hosts --label dnsdata --namespace openstack'],
  options: {
    folder: text('directory for the files', 'DIR'),
    label: text('value of the label dnsmasqhosts (default dnsdata)', 'VALUE'),
    namespace: text('namespace of the ConfigMaps (POD_NAMESPACE)', 'NS'),
    kubeconfig: text('kubeconfig file for the API', 'FILE'),
    context: text('context in the kubeconfig', 'NAME'),
    config: text('ConfigMap with the options of dnsmasq, under the key of its own name', 'NAME'),
    'servers-file': text('file for the servers among these options', 'FILE'),
    once: { type: 'boolean', help: 'exit when everything is written' },
    restart: { type: 'boolean', help: 'run as a process of its own, started again when it ends' },
  },
  async run({ values }: { readonly values: Values }, io: Terminal): Promise<0 | 1> {
    const log = (entry: object) =>
      io.err(`${JSON.stringify({ ts: timestamp(), caller: 'dns-hosts', ...entry })}\n`)
    try {
      if (values['restart'] === true) {
        const args = process.argv.slice(1).filter((arg) => arg !== '--restart')
        const command = [process.execPath, ...process.execArgv, ...args]
        const { signal } = io
        await keepRunning({ command, clock: systemClock, random: Math.random, signal, log })
      } else await follow(values, io, log)
      return 0
    } catch (error) {
      log({ level: 'error', message: error instanceof Error ? error.message : String(error) })
      return 1
    }
  },
} as const

async function follow(values: Values, io: Terminal, log: (entry: object) => void): Promise<void> {
  const connection = await readConnection({
    kubeconfig: given(values, 'kubeconfig'),
    context: given(values, 'context'),
    env: io.env,
    home: io.home,
    parseYaml: yamlWhenRead,
  })
  const folder = given(values, 'folder')
  if (folder === undefined) throw new Fault('--folder is missing: name the folder for the hosts')
  const [config, file] = [given(values, 'config'), given(values, 'servers-file')]
  if ((config === undefined) !== (file === undefined)) {
    throw new Fault('--config and --servers-file go together: name both, or neither')
  }
  const api = newApi(connection)
  const done = new AbortController()
  // The process that would restart us is gone.
  process.once('disconnect', () => done.abort())
  // Otherwise the listener would keep the process running.
  process.channel?.unref()
  const left = new Set(config === undefined ? ['hosts'] : ['hosts', 'servers'])
  const written = (what: string) => (): void => {
    left.delete(what)
    if (left.size === 0 && values['once'] === true) done.abort()
  }
  const common = {
    api,
    clock: systemClock,
    random: Math.random,
    namespace: given(values, 'namespace') ?? io.env['POD_NAMESPACE'] ?? connection.namespace,
    signal: AbortSignal.any([io.signal, done.signal]),
    log,
    reload: () => dnsmasqOf(folder),
  }
  const label = given(values, 'label') ?? 'dnsdata'
  try {
    await Promise.all([
      followHosts({ ...common, label, folder, complete: written('hosts') }),
      config === undefined || file === undefined
        ? undefined
        : followServers({ ...common, config, file, complete: written('servers') }),
    ])
  } finally {
    done.abort()
    api.close()
  }
}

const given = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
