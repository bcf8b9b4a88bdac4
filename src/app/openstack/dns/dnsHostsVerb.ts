// berth dns-hosts: the container beside dnsmasq that writes its hosts, as they are in the API now.
import { systemClock, timestamp } from '../../../edge/host/clock.ts'
import { newApi } from '../../../edge/kube/api/client.ts'
import { readConnection } from '../../../edge/kube/api/connection.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { yamlWhenRead } from '../../../edge/manifests/yamlWhenRead.ts'
import { dnsmasqOf } from './dnsmasqOf.ts'
import { followHosts } from './followHosts.ts'

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
  usage: ['dns-hosts --folder DIR --label VALUE [--namespace NS] [--once]'],
  description: `
Runs next to dnsmasq in the Pods of a DNSMasq. It watches the ConfigMaps in the namespace that have
the label dnsmasqhosts=VALUE, and writes their lines to small files in DIR, from which dnsmasq
reads them (--hostsdir). Files are replaced as a whole. If so many change at once that dnsmasq
would be busy for seconds, dnsmasq is sent SIGHUP instead, to read all of them again; for that,
this command must see its process and run as the same user. While the API does not answer, the
files stay as they are. In a Pod it uses the service account, elsewhere the kubeconfig. It logs
JSON lines to stderr.

Exit status: 0 after SIGTERM or SIGINT, or with --once when all hosts are written; 1 if no API
server is configured or DIR cannot be written.`,
  examples: ['berth dns-hosts --folder /etc/dnsmasq.d/hosts --label dnsdata --namespace openstack'],
  options: {
    folder: text('directory for the files', 'DIR'),
    label: text('value of the label dnsmasqhosts (default dnsdata)', 'VALUE'),
    namespace: text('namespace of the ConfigMaps (POD_NAMESPACE)', 'NS'),
    kubeconfig: text('kubeconfig file for the API', 'FILE'),
    context: text('context in the kubeconfig', 'NAME'),
    once: { type: 'boolean', help: 'exit when all hosts are written' },
  },
  async run({ values }: { readonly values: Values }, io: Terminal): Promise<0 | 1> {
    const log = (entry: object) =>
      io.err(`${JSON.stringify({ ts: timestamp(), caller: 'dns-hosts', ...entry })}\n`)
    try {
      await follow(values, io, log)
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
  const api = newApi(connection)
  const done = new AbortController()
  try {
    await followHosts({
      api,
      clock: systemClock,
      random: Math.random,
      namespace: given(values, 'namespace') ?? io.env['POD_NAMESPACE'] ?? connection.namespace,
      label: given(values, 'label') ?? 'dnsdata',
      folder,
      signal: AbortSignal.any([io.signal, done.signal]),
      log,
      reload: () => dnsmasqOf(folder),
      complete: () => {
        if (values['once'] === true) done.abort()
      },
    })
  } finally {
    api.close()
  }
}

const given = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
