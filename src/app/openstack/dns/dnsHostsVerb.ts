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
  summary: 'write the hosts of a DNS server, as its ConfigMaps change',
  usage: ['dns-hosts --folder DIR --label VALUE [--namespace NS] [--once]'],
  description: `
Runs beside dnsmasq in the pods of a DNSMasq. It watches the ConfigMaps of the namespace with the
label dnsmasqhosts=VALUE and keeps their lines in small files in DIR, where dnsmasq reads them by
itself (--hostsdir). Files are replaced whole. Where so many change at once that dnsmasq would be
busy with them for seconds, it tells the dnsmasq that reads DIR to read all of them again (SIGHUP);
for that it has to see its process, and to run as the same user. While the API does not answer, the
files stay as they are. In a pod it uses the service account, elsewhere the kubeconfig. Logs are
JSON lines on stderr.

Exit status: 0 after it was asked to end, or with --once when all hosts are written; 1 when no API
server is named or DIR cannot be written.`,
  examples: ['berth dns-hosts --folder /etc/dnsmasq.d/hosts --label dnsdata --namespace openstack'],
  options: {
    folder: text('where the files go', 'DIR'),
    label: text('value of the label dnsmasqhosts; dnsdata when not given', 'VALUE'),
    namespace: text('of the ConfigMaps (POD_NAMESPACE)', 'NS'),
    kubeconfig: text('how to reach the API', 'FILE'),
    context: text('which context of it', 'NAME'),
    once: { type: 'boolean', help: 'end when all hosts are written' },
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
