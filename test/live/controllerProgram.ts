// How does the controller run beside scenarios? As `berth controller` composes it, in this process,
// so that it can be stopped and started between two steps.
import { createServer } from 'node:net'
import { Controller } from '../../src/app/controller/controller.ts'
import { startWebhooks, type Webhooks } from '../../src/app/controller/webhooks.ts'
import { openstack } from '../../src/app/openstack/openstack.ts'
import type { BgpMode } from '../../src/core/model/admission.ts'
import { check, checkDelete } from '../../src/core/policy/check/check.ts'
import { foresee } from '../../src/core/policy/check/foresee.ts'
import { systemClock, timestamp } from '../../src/edge/host/clock.ts'
import { admission } from '../../src/edge/kube/admission.ts'
import { newApi } from '../../src/edge/kube/api/client.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
import { connectionFor, type KubeAddress } from '../kube/harness.ts'
import { until } from '../kube/waits.ts'

export type ProgramOptions = {
  readonly kube: KubeAddress
  readonly token: string
  readonly namespace: string
}

type Run = {
  readonly controller: Controller
  readonly webhooks: Webhooks
  readonly stop: AbortController
  readonly ended: Promise<void>
}

const configurations = [
  'validatingwebhookconfigurations/berth-webhook-configuration',
  'validatingwebhookconfigurations/berth-openstack-webhook-configuration',
  'mutatingwebhookconfigurations/berth-openstack-webhook-configuration',
]

export async function newProgram({ kube, token, namespace }: ProgramOptions) {
  const credentials = writtenCredentials({ token: { text: token } })
  const api = newApi({ ...connectionFor(kube, 'nobody'), credentials })
  const crds = await readCrds()
  const port = await freePort()
  const settings = { ownNamespace: namespace, loadBalancerClass: '' }
  const common = { api, clock: systemClock, random: Math.random }
  const names = [`berth-webhook-service.${namespace}.svc`, '127.0.0.1']
  const said: string[] = []
  const log = (entry: object): void => void said.push(JSON.stringify(entry))
  let running: Run | undefined
  let mode: BgpMode = 'native'

  const isCertified = async (): Promise<boolean> => {
    type Configuration = { webhooks: readonly { clientConfig: { caBundle?: string } }[] }
    const hooks = await Promise.all(
      configurations.map(async (name) => {
        const path = `/apis/admissionregistration.k8s.io/v1/${name}`
        return ((await api.call({ method: 'GET', path })) as Configuration).webhooks
      }),
    )
    return hooks.flat().every(({ clientConfig }) => (clientConfig.caBundle ?? '') !== '')
  }

  return {
    webhooks: `https://127.0.0.1:${port}`,
    mode: () => mode,
    progress: () => running?.controller.progress() ?? { isQuiet: false, seen: {} },
    async start(wanted: BgpMode): Promise<void> {
      mode = wanted
      const stop = new AbortController()
      const controller = new Controller({
        ...common,
        settings,
        timestamp,
        log,
        identity: 'berth-test',
        extensions: [openstack('auto')],
      })
      const ended = controller.run(stop.signal)
      const world = () => (controller.isIn ? controller.world : undefined)
      const gate = admission({ crds, check, checkDelete, foresee, bgpMode: mode })
      const now = () => new Date()
      const asked = { names, host: '127.0.0.1', port, now, log }
      const webhooks = await startWebhooks({
        ...{ ...common, ...asked, gate, world, namespace },
        lastKnown: () => (controller.wasIn ? controller.world : undefined),
      })
      running = { controller, webhooks, stop, ended }
      const last = () => said.slice(-5).join('\n')
      const isReady = async () => (controller.isIn && (await isCertified())) || undefined
      await until(`the controller is ready; last words:\n${last()}`, isReady)
    },
    async stop(): Promise<void> {
      running?.stop.abort()
      await running?.webhooks.close()
      await running?.ended
      running = undefined
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}
