// berth controller: what it takes to run the controller as a daemon, on any Kubernetes API.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { systemClock } from '../../edge/host/clock.ts'
import { newApi } from '../../edge/kube/api/client.ts'
import { readConnection } from '../../edge/kube/api/connection.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { parseManifests } from '../../edge/manifests/readManifests.ts'
import { Controller } from './controller.ts'

type Terminal = {
  readonly err: (text: string) => void
  readonly signal: AbortSignal
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}
type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

const text = (help: string, value: string) => ({ type: 'string', help, value }) as const

export const controllerVerb = {
  name: 'controller',
  summary: 'give addresses to Services, on any Kubernetes API',
  usage: ['controller [--namespace NS] [--lb-class CLASS] [--kubeconfig FILE] [--context NAME]'],
  description: `
Runs until it is asked to end (SIGTERM). Several may run: one leads, by the Lease berth-controller.
In a pod it uses the service account, elsewhere the kubeconfig. Logs are JSON lines on stderr.

Exit status: 0 after it was asked to end, 1 when no API server is named.`,
  examples: ['berth controller --kubeconfig ~/.kube/config --namespace metallb-system'],
  options: {
    namespace: text('where pools and other MetalLB resources are (METALLB_NAMESPACE)', 'NS'),
    'lb-class': text('serve only Services of this load-balancer class', 'CLASS'),
    kubeconfig: text('how to reach the API', 'FILE'),
    context: text('which context of it', 'NAME'),
  },
  async run({ values }: { readonly values: Values }, io: Terminal): Promise<0 | 1> {
    const given = (name: string) => {
      const value = values[name]
      return typeof value === 'string' && value !== '' ? value : undefined
    }
    const log = (entry: object) =>
      io.err(`${JSON.stringify({ ts: timestamp(), caller: 'controller', ...entry })}\n`)
    try {
      const connection = await readConnection({
        kubeconfig: given('kubeconfig'),
        context: given('context'),
        env: io.env,
        home: io.home,
        parseYaml,
      })
      const ownNamespace = given('namespace') ?? io.env['METALLB_NAMESPACE'] ?? 'metallb-system'
      const settings = { ownNamespace, loadBalancerClass: given('lb-class') ?? '' }
      const identity = `${hostname()}_${randomBytes(4).toString('hex')}`
      const api = newApi(connection)
      const parts = {
        api,
        settings,
        clock: systemClock,
        random: Math.random,
        timestamp,
        identity,
        log,
      }
      await new Controller(parts).run(io.signal)
      api.close()
      return 0
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      log({ level: 'error', message: error.message })
      return 1
    }
  },
} as const

const timestamp = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z')

function parseYaml(yaml: string): unknown {
  const [read] = parseManifests(yaml, 'kubeconfig')
  if (read === undefined) return undefined
  if (read.ok) return read.manifest.json
  throw new Fault(read.unreadable.why)
}
