// How is the speaker started from the command line? By flags and environment, which are MetalLB's
// where it has the same thing.
import { readConnection } from '../../edge/kube/api/connection.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { yamlOrFault } from '../../edge/manifests/parseYaml.ts'
import { runSpeaker, timestamp } from './runSpeaker.ts'
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
Answers ARP and neighbour discovery for the addresses that this node is elected for, until it is
asked to end (SIGTERM): then others take over first. It needs the capability NET_RAW, nothing else.
Routers that a BGPPeer names are told the way to Services through this node; METALLB_BGP_TYPE=native
makes the routes look like those of MetalLB's own engine, and anything else like FRR's.
In a pod it uses the service account, elsewhere the kubeconfig. Logs are JSON lines on stderr.

Speakers tell each other that they are alive, sealed with a key that they share. They find each
other by their pods; or by a list such as node-1=10.0.0.1,node-2=10.0.0.2:7956; or not at all: with
nodes every Node counts as live, as it has to beside MetalLB's speakers (with their memberlist
turned off). While MetalLB's speaker runs on the same node, this one keeps silent.

Exit status: 0 after it was asked to end, 1 when something that it needs is not given or not there.
An API server that does not answer is waited for.`,
  examples: [
    'berth speaker --node-name node-1 --members-key-file /etc/berth/members/key',
    'berth speaker --node-name node-1 --members node-1=10.0.0.1,node-2=10.0.0.2 \\',
    '  --members-key-file key --kubeconfig ~/.kube/config',
  ],
  options: {
    'node-name': text('the Node that this is (METALLB_NODE_NAME)', 'NODE'),
    namespace: text('where pools and other MetalLB resources are (METALLB_NAMESPACE)', 'NS'),
    'lb-class': text('serve only Services of this load-balancer class', 'CLASS'),
    kubeconfig: text('how to reach the API', 'FILE'),
    context: text('which context of it', 'NAME'),
    members: text('how speakers find each other: pods (the default), nodes or a list', 'HOW'),
    'members-port': text('UDP port they listen on, 7956 when not given', 'PORT'),
    'members-bind': text('own address for them (METALLB_ML_BIND_ADDR)', 'ADDRESS'),
    'members-key-file': text('the key that they share, one a line: the first seals', 'FILE'),
    'members-beat': text('between two signs of life, 40 when not given', 'MS'),
    'members-timeout': text('silence after which one is taken for dead, 340 when not given', 'MS'),
    'ignore-exclude-lb': flag('announce also from nodes excluded from external load balancers'),
    'announce-refresh': text(
      'announce again after this time, also when nothing changed',
      'SECONDS',
    ),
    'announce-anyway': flag('announce also an address that another machine has'),
    'excluded-interfaces': text('interfaces that never announce, as in excludel2.yaml', 'FILE'),
    port: text('of the metrics, 9120 when not given; 0 for none', 'PORT'),
    'health-probe-port': text('of /healthz and /readyz on 127.0.0.1, 17472; 0 for none', 'PORT'),
    host: text("accepted for MetalLB's manifests, and not used", 'ADDRESS'),
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
        parseYaml: yamlOrFault,
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
