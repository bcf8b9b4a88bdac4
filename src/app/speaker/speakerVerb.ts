// How is the speaker started from the command line? With flags and environment variables; they are
// MetalLB's where it has an equivalent.
import { timestamp } from '../../edge/host/clock.ts'
import { readConnection } from '../../edge/kube/api/connection.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { metricsFlags } from '../../edge/kube/serve/metricsFlags.ts'
import { yamlWhenRead } from '../../edge/manifests/yamlWhenRead.ts'
import { runSpeaker } from './runSpeaker.ts'
import { type Terminal, type Values, wantedOf } from './speakerFlags.ts'

const text = (help: string, value: string) => ({ type: 'string', help, value }) as const
const flag = (help: string) => ({ type: 'boolean', help }) as const

export const speakerVerb = {
  name: 'speaker',
  summary: 'announce the addresses of Services from this node',
  usage: [
    'speaker --node-name NODE --members-key-file FILE [--members pods|LIST]',
    'speaker --node-name NODE --members nodes',
  ],
  description: `
Answers ARP and neighbor discovery for the addresses that this node is elected for, and announces
routes to the routers that BGPPeers name. With METALLB_BGP_TYPE=native, routes have the attributes
of MetalLB's native mode, otherwise those of its FRR modes. On SIGTERM, other speakers take over and
routes are withdrawn before it exits, except from routers that agreed to graceful restart. It needs
the capability NET_RAW and nothing else; with a --bgp-listen below 1024, also NET_BIND_SERVICE. In a
Pod it uses the service account, elsewhere the kubeconfig. It logs JSON lines to stderr.

With --bgp-backend frr-k8s, frr-k8s has the BGP sessions: the speaker keeps its FRRConfiguration
metallb-NODE, and sessions stay while the speaker restarts. With frr, FRR in the same Pod has them:
the speaker writes FRR_CONFIG_FILE (default /etc/frr_reloader/frr.conf) and sends SIGHUP to the
process that FRR_RELOADER_PID_FILE names.

Speakers exchange heartbeats, encrypted with a shared key. With --members pods they find each other
through their Pods; a list such as node-1=10.0.0.1,node-2=10.0.0.2:7956 names them instead. With
--members nodes there are no heartbeats and every Node counts as live: use it next to MetalLB's
speakers that run without memberlist. While MetalLB's speaker runs on the same node, this one
announces nothing.

Exit status: 0 after SIGTERM or SIGINT, 1 if a required flag or resource is missing. If the API
server does not answer, the speaker waits for it.`,
  examples: [
    'berth speaker --node-name node-1 --members-key-file /etc/berth/members/key',
    'berth speaker --node-name node-1 --members node-1=10.0.0.1,node-2=10.0.0.2 \\',
    '  --members-key-file key --kubeconfig ~/.kube/config',
  ],
  options: {
    'node-name': text('name of the Node it runs on (METALLB_NODE_NAME)', 'NODE'),
    namespace: text('namespace of pools and other MetalLB resources (METALLB_NAMESPACE)', 'NS'),
    'lb-class': text('serve only Services of this load-balancer class', 'CLASS'),
    kubeconfig: text('kubeconfig file for the API', 'FILE'),
    context: text('context in the kubeconfig', 'NAME'),
    members: text('how speakers find each other: pods (the default), nodes or a list', 'HOW'),
    'members-port': text('UDP port for heartbeats (default 7956)', 'PORT'),
    'members-bind': text('address to bind for heartbeats (METALLB_ML_BIND_ADDR)', 'ADDRESS'),
    'members-key-file': text('shared keys, one per line; the first one encrypts', 'FILE'),
    'members-beat': text('interval between heartbeats (default 40)', 'MS'),
    'members-timeout': text('silence after which a speaker counts as dead (default 340)', 'MS'),
    'ignore-exclude-lb': flag('also announce from nodes excluded from external load balancers'),
    'announce-refresh': text(
      'repeat announcements at this interval even if nothing changed',
      'SECONDS',
    ),
    'bgp-backend': text('who has the BGP sessions: berth (the default), frr or frr-k8s', 'BACKEND'),
    'bgp-listen': text('port on which routers may connect, such as 179 (default 0: none)', 'PORT'),
    'bgp-debounce-timeout': text('collect changes for FRR for this long (default 1000)', 'MS'),
    'frrk8s-namespace': text('namespace of frr-k8s (FRRK8S_NAMESPACE; default: --namespace)', 'NS'),
    'drain-wait': text(
      'how long a drained node asks routers to prefer others (default 5)',
      'SECONDS',
    ),
    'announce-anyway': flag('announce an address even if another machine has it'),
    'excluded-interfaces': text(
      'file of interfaces that never announce, as in excludel2.yaml',
      'FILE',
    ),
    port: text('port for /metrics (default 9130; 0 disables it)', 'PORT'),
    ...metricsFlags,
    'health-probe-port': text(
      'port of the probes on 127.0.0.1 (default 17473; 0 disables it)',
      'PORT',
    ),
    host: text("accepted for compatibility with MetalLB's manifests; ignored", 'ADDRESS'),
  },
  async run({ values }: { readonly values: Values }, io: Terminal): Promise<0 | 1> {
    const log = (entry: object) =>
      io.err(`${JSON.stringify({ ts: timestamp(), caller: 'speaker', ...entry })}\n`)
    const given = (name: string) => {
      const value = values[name]
      return typeof value === 'string' && value !== '' ? value : undefined
    }
    try {
      const wanted = await wantedOf(values, io)
      const connection = await readConnection({
        kubeconfig: given('kubeconfig'),
        context: given('context'),
        env: io.env,
        home: io.home,
        parseYaml: yamlWhenRead,
      })
      await runSpeaker({ connection, log, signal: io.signal, ...wanted })
      return 0
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      log({ level: 'error', message: error.message })
      return 1
    }
  },
} as const
