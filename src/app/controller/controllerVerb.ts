// How is the controller started from the command line? Flags and environment as MetalLB has them.
import { usualImages } from '../../core/policy/names/decideDnsMasq.ts'
import type { Images } from '../../core/policy/names/serverDeployment.ts'
import { timestamp } from '../../edge/host/clock.ts'
import { readConnection } from '../../edge/kube/api/connection.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { metricsFlags, secureMetricsOf } from '../../edge/kube/serve/metricsFlags.ts'
import type { Pod } from '../../edge/kube/write/configurationState.ts'
import { yamlWhenRead } from '../../edge/manifests/yamlWhenRead.ts'
import type { NewExtension } from './extension.ts'
import { type ControllerRun, runController } from './runController.ts'

type Terminal = {
  readonly err: (text: string) => void
  readonly signal: AbortSignal
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Handed in by main, which alone joins apps. */
  readonly openstack?: (mode: Mode, options: OpenstackOptions) => Promise<NewExtension>
}
type Mode = 'auto' | 'serve' | 'observe'
type OpenstackOptions = {
  readonly images: Images
  /** Where infra-operator may run; where it usually does if absent. */
  readonly namespaces?: readonly string[]
}
type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

const text = (help: string, value: string) => ({ type: 'string', help, value }) as const

export const controllerVerb = {
  name: 'controller',
  summary: 'give addresses to Services, on any Kubernetes API',
  usage: [
    'controller [--namespace NS] [--lb-class CLASS] [--kubeconfig FILE] [--context NAME]',
    'controller --shadow',
  ],
  description: `
Runs until SIGTERM. You can run several replicas: the holder of the Lease berth-controller leads.
In a Pod it uses the service account, elsewhere the kubeconfig. It logs JSON lines to stderr. With
--shadow it writes nothing, and reports where its decisions differ from MetalLB's.

With --openstack it also gives addresses to hosts (NetConfig, IPSet) and names (DNSMasq, DNSData).
While infra-operator renews its Lease, the controller writes nothing in network.openstack.org.

Exit status: 0 after SIGTERM or SIGINT, 1 if no API server is configured or a port is in use.`,
  examples: [
    'berth controller --kubeconfig ~/.kube/config --namespace metallb-system',
    'berth controller --shadow',
  ],
  options: {
    namespace: text('namespace of pools and other MetalLB resources (METALLB_NAMESPACE)', 'NS'),
    'lb-class': text('serve only Services of this load-balancer class', 'CLASS'),
    kubeconfig: text('kubeconfig file for the API', 'FILE'),
    context: text('context in the kubeconfig', 'NAME'),
    port: text('port for /metrics (default 9120; 0 disables it)', 'PORT'),
    ...metricsFlags,
    'health-probe-port': text('port of the probes (default 17472; 0 disables it)', 'PORT'),
    'webhook-mode': {
      type: 'string',
      value: 'MODE',
      choices: ['enabled', 'disabled', 'onlywebhook'],
      help: 'whether to serve webhooks on port 9443; onlywebhook does nothing else',
    },
    openstack: {
      type: 'string',
      value: 'MODE',
      choices: ['auto', 'serve', 'observe', 'off'],
      help: 'addresses and names for OpenStack; observe only counts them (default off)',
    },
    'infra-operator-namespaces': text(
      'namespaces in which the Lease of infra-operator counts (default infra-operator-system, ' +
        'openstack-operators and openshift-operators)',
      'NS,...',
    ),
    'dnsmasq-image': text('image for a DNSMasq without containerImage (default dnsmasq)', 'IMAGE'),
    'dns-hosts-image': text('image of Berth in the Pods of a DNSMasq (default berth)', 'IMAGE'),
    shadow: { type: 'boolean', help: 'write nothing; compare with what MetalLB writes' },
  },
  async run({ values }: { readonly values: Values }, io: Terminal): Promise<0 | 1> {
    const log = (entry: object) =>
      io.err(`${JSON.stringify({ ts: timestamp(), caller: 'controller', ...entry })}\n`)
    try {
      const connection = await readConnection({
        kubeconfig: given(values, 'kubeconfig'),
        context: given(values, 'context'),
        env: io.env,
        home: io.home,
        parseYaml: yamlWhenRead,
      })
      const extensions = await extensionsOf(values, io)
      const run = { connection, log, signal: io.signal, extensions }
      await runController({ ...run, ...wanted(values, io) })
      return 0
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      log({ level: 'error', message: error.message })
      return 1
    }
  },
} as const

async function extensionsOf(values: Values, io: Terminal): Promise<readonly NewExtension[]> {
  const mode = given(values, 'openstack') ?? 'off'
  if (mode !== 'auto' && mode !== 'serve' && mode !== 'observe') return []
  const images = {
    dnsmasq: given(values, 'dnsmasq-image') ?? usualImages.dnsmasq,
    berth: given(values, 'dns-hosts-image') ?? usualImages.berth,
  }
  const namespaces = given(values, 'infra-operator-namespaces')?.split(',')
  const extension = await io.openstack?.(mode, { images, ...(namespaces && { namespaces }) })
  return extension === undefined ? [] : [extension]
}

const given = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

type Wanted = Pick<
  ControllerRun,
  'settings' | 'pod' | 'bgpMode' | 'isShadow' | 'mayLead' | 'ports' | 'secureMetrics'
>

function wanted(values: Values, { env }: Terminal): Wanted {
  const ownNamespace = given(values, 'namespace') ?? env['METALLB_NAMESPACE'] ?? 'metallb-system'
  return {
    settings: { ownNamespace, loadBalancerClass: given(values, 'lb-class') ?? '' },
    pod: podIn(env),
    bgpMode: env['METALLB_BGP_TYPE']?.startsWith('frr') === true ? 'frr' : 'native',
    isShadow: values['shadow'] === true,
    mayLead: given(values, 'webhook-mode') !== 'onlywebhook',
    secureMetrics: secureMetricsOf(values, env),
    ports: {
      metrics: portOf(given(values, 'port'), 9120),
      probes: portOf(given(values, 'health-probe-port'), 17472),
      webhooks: given(values, 'webhook-mode') === 'disabled' ? undefined : 9443,
    },
  }
}

/** As the Deployment tells it: then nobody has to be allowed to read pods. */
function podIn(env: Terminal['env']): Pod | undefined {
  const { METALLB_POD_NAME: name = '', BERTH_POD_UID: uid = '' } = env
  return name === '' || uid === '' ? undefined : { name, uid }
}

/** 0 turns it off, as in MetalLB. */
function portOf(written: string | undefined, usual: number): number | undefined {
  if (written === undefined) return usual
  const port = Number(written)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Fault(`${JSON.stringify(written)} is not a port`)
  }
  return port === 0 ? undefined : port
}
