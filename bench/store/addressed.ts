// How long until many Services have their addresses? They are created while a controller runs:
// inside `berth up`, and next to a real API server.
import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { newApi } from '../../src/edge/kube/api/client.ts'
import { readManifests } from '../../src/edge/manifests/readManifests.ts'
import { crdFolder } from '../../src/edge/manifests/shippedCrds.ts'
import { connectionFor, kubeconfigFor } from '../../test/kube/harness.ts'
import { type Program, startProgram } from '../../test/kube/program.ts'
import { until } from '../../test/kube/waits.ts'
import { shipped } from '../kube/daemon.ts'
import { Seen } from '../kube/seen.ts'
import { Line, requestBytes } from './line.ts'
import { berth, type Contender, main, type Server } from './servers.ts'
import { inParallel } from './writes.ts'

export type Addressed = {
  readonly count: number
  /** From the first request to the last address, as a watch sees it. */
  readonly ms: number
  /** The part of it after the last Service was created. */
  readonly afterMs: number
}

const clients = 8
const patienceMs = 1_200_000
const [metricsPort, probePort] = [29_130, 27_473]
const ownNamespace = 'metallb-system'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const pools = `/apis/metallb.io/v1beta1/namespaces/${ownNamespace}/ipaddresspools`
const services = '/api/v1/namespaces/default/services'

export async function address(contender: Contender, count: number): Promise<Addressed> {
  const server = await contender.start()
  const controller = contender === berth ? undefined : await startController(server)
  const api = newApi(connectionFor(server.address, 'admin'))
  const seen = new Seen(api)
  try {
    await post(server, pools, { ...pool })
    const start = performance.now()
    const asked = await createServices(server, count)
    const isDone = () => seen.addressed.size >= count || undefined
    await until(`${count} Services have addresses`, isDone, patienceMs)
    const ms = seen.lastStatusMs - start
    return { count, ms, afterMs: Math.max(0, ms - asked) }
  } finally {
    seen.close()
    api.close()
    await controller?.stop('SIGTERM')
    await server.stop()
  }
}

const pool = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name: 'town', namespace: ownNamespace },
  spec: { addresses: ['10.0.0.0/14'] },
}

async function post(server: Server, path: string, body: object): Promise<void> {
  const line = await Line.open(server)
  await line.expect(201, requestBytes(server, 'POST', path, body))
  line.close()
}

async function createServices(server: Server, count: number): Promise<number> {
  const requests = Array.from({ length: count }, (_, number) =>
    requestBytes(server, 'POST', services, serviceOf(`web-${number}`)),
  )
  const left = requests.values()
  return inParallel({ server, clients }, async (line) => {
    for (const request of left) await line.expect(201, request)
  })
}

const serviceOf = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: { app: name, 'app.kubernetes.io/part-of': 'shop' } },
  spec: {
    type: 'LoadBalancer',
    // There are fewer node ports than Services.
    allocateLoadBalancerNodePorts: false,
    selector: { app: name },
    ports: [
      { name: 'http', port: 80, targetPort: 8080 },
      { name: 'https', port: 443, targetPort: 8443 },
    ],
  },
})

async function* noInput(): AsyncGenerator<string> {
  yield ''
}

/** Started as by the Deployment, once the CRDs are served. */
async function startController(server: Server): Promise<Program> {
  await post(server, '/api/v1/namespaces', { metadata: { name: ownNamespace } })
  for await (const read of readManifests([crdFolder], noInput())) {
    if (!read.ok) throw new Error(read.unreadable.why)
    await post(server, definitions, read.manifest.json)
  }
  const { folder } = server.address
  const kubeconfig = join(folder, 'bench.kubeconfig')
  writeFileSync(kubeconfig, kubeconfigFor(server.address, 'admin'))
  const ports = [`--port=${metricsPort}`, `--health-probe-port=${probePort}`]
  const program = startProgram({
    name: 'controller',
    path: process.execPath,
    args: [main, 'controller', ...ports],
    folder,
    env: {
      ...process.env,
      ...shipped().env,
      KUBECONFIG: kubeconfig,
      METALLB_NAMESPACE: ownNamespace,
    },
  })
  await until('the controller is ready', () => readyOf(program), 60_000)
  return program
}

async function readyOf(program: Program): Promise<true | undefined> {
  if (program.hasEnded()) throw new Error(`the controller exited:\n${program.lastWords()}`)
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port: probePort, path: '/readyz', agent: false })
    asked.on('error', () => resolve(undefined))
    asked.on('response', (response) => {
      response.resume()
      resolve(response.statusCode === 200 ? true : undefined)
    })
  })
}
