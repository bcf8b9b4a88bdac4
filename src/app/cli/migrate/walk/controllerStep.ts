// How does Berth's controller take over from MetalLB's, and hand back? Never do both assign: Berth
// waits while MetalLB's runs.
import { leaseName } from '../../../../edge/kube/adoption.ts'
import { ifNew } from '../../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../../edge/kube/api/resource.ts'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../../edge/kube/kinds.ts'
import { readManifests } from '../../../../edge/manifests/readManifests.ts'
import { crdFolder } from '../../../../edge/manifests/shippedCrds.ts'
import type { Workload } from '../metallb.ts'
import { removeRecords } from '../removeRecords.ts'
import { converterAnswers } from './converterAnswers.ts'
import { addressesKept, holdNow } from './held.ts'
import { readNotes, writeNotes } from './notes.ts'
import { type Progress, readProgress } from './progress.ts'
import { forgetReplicas, replicasBefore, scaledTo } from './replicas.ts'
import { trustedByBoth } from './trustedByBoth.ts'
import { change, readOne, remove, Stopped, type Walk, waitFor } from './walk.ts'

const peers = 'bgppeers.metallb.io'

export async function controllerToBerth(walk: Walk, progress: Progress): Promise<void> {
  const held = await holdNow(walk)
  const crd = await readOne(walk, { kind: 'CustomResourceDefinition', name: peers })
  const conversion = crd?.inner('spec').inner('conversion').json
  await writeNotes(walk, { webhooks: progress.webhooks.map(({ json }) => json), conversion })
  await trustedByBoth(walk, progress.controllers)
  await applyDefinitions(walk, (name) => name === peers)
  for (const controller of progress.controllers) await scaled(walk, controller, 0)
  for (const controller of progress.controllers) await stopped(walk, controller)
  await applyDefinitions(walk, (name) => name !== peers)
  for (const webhook of progress.webhooks) {
    await remove(walk, {
      kind: 'ValidatingWebhookConfiguration',
      name: metaOf(webhook).name,
    })
  }
  await waitFor(walk, async () => {
    const { berth } = await readProgress(walk)
    if (!berth.isLed) return "no controller of Berth leads; see 'berth status' and its log"
    return berth.adoption === 'done' ? '' : 'Berth has not adopted every address yet'
  })
  await addressesKept(walk, held)
}

const scaled = (walk: Walk, { name, namespace }: Workload, replicas: number): Promise<void> =>
  change(walk, { kind: 'Deployment', name, namespace }, (deployment) =>
    scaledTo(deployment, replicas),
  )

const stopped = (walk: Walk, { name, namespace }: Workload): Promise<void> =>
  waitFor(walk, async () => {
    const now = await readOne(walk, { kind: 'Deployment', name, namespace })
    const status = now?.inner('status')
    const left = (status?.number('replicas') ?? 0) + (status?.number('terminatingReplicas') ?? 0)
    if (left === 0) return ''
    const wanted = now?.inner('spec').number('replicas') ?? 1
    const why = wanted === 0 ? '' : ': somebody scales it up again, as an autoscaler or GitOps does'
    return `MetalLB's controller ${namespace}/${name} does not end${why}`
  })

/** Those of MetalLB's group; BGPPeers are converted by Berth from then on. */
async function applyDefinitions(
  { api, namespace }: Walk,
  isWanted: (name: string) => boolean,
): Promise<void> {
  for await (const read of readManifests([crdFolder], noInput())) {
    if (!read.ok) throw new Stopped(read.unreadable.why)
    const crd = new Fields(read.manifest.json, [])
    const { name } = metaOf(crd)
    if (crd.inner('spec').text('group') !== 'metallb.io' || !isWanted(name)) continue
    const body = name === peers ? convertedIn(crd, namespace) : crd.json
    await api.call({
      method: 'PATCH',
      path: pathOf(resourceOf('CustomResourceDefinition'), name),
      query: { fieldManager: 'berth-migrate', force: 'true' },
      contentType: 'application/apply-patch+yaml',
      body,
    })
  }
}

function convertedIn(crd: Fields, namespace: string): object {
  const spec = crd.inner('spec')
  const conversion = spec.inner('conversion')
  const webhook = conversion.inner('webhook')
  const client = webhook.inner('clientConfig')
  const service = { ...client.inner('service').json, namespace }
  const clientConfig = { ...client.json, service }
  const converted = { ...conversion.json, webhook: { ...webhook.json, clientConfig } }
  return { ...crd.json, spec: { ...spec.json, conversion: converted } }
}

async function* noInput(): AsyncGenerator<string> {
  yield ''
}

/**
 * MetalLB's starts first, and Berth's waits while it runs, so that somebody converts BGPPeers at
 * every moment. Only then does Berth's controller end, and what it wrote goes.
 */
export async function controllerToMetallb(walk: Walk, progress: Progress): Promise<void> {
  const held = await holdNow(walk)
  await trustedByBoth(walk, progress.controllers)
  for (const controller of progress.controllers) {
    await scaled(walk, controller, replicasBefore(controller))
  }
  for (const { name, namespace } of progress.controllers) {
    await waitFor(walk, async () => {
      const now = await readOne(walk, { kind: 'Deployment', name, namespace })
      const ready = now?.inner('status').number('readyReplicas') ?? 0
      return ready > 0 ? '' : `MetalLB's controller ${namespace}/${name} is not ready`
    })
  }
  await webhooksToMetallb(walk)
  await endBerth(walk)
  if ((await removeRecords(walk)) !== 0)
    throw new Stopped('what Berth wrote could not all be removed')
  await addressesKept(walk, held)
  // Until here the step may stop and be run again.
  for (const controller of progress.controllers) await forgetReplicas(walk, controller)
}

async function webhooksToMetallb(walk: Walk): Promise<void> {
  const { api } = walk
  const notes = await readNotes(walk)
  const { conversion } = notes
  if (conversion !== undefined) {
    const definition = { kind: 'CustomResourceDefinition', name: peers } as const
    const now = (await readOne(walk, definition))?.inner('spec').inner('conversion')
    const noted = new Fields(conversion, [])
    // If it is named already, as after an interrupted step, there is nothing to wait for.
    if (now === undefined || converterIn(now) !== converterIn(noted)) {
      await converterAnswers(walk, noted)
    }
    await change(walk, definition, (crd) => ({
      ...crd,
      spec: { ...new Fields(crd['spec'], []).json, conversion },
    }))
  }
  await remove(walk, {
    kind: 'ValidatingWebhookConfiguration',
    name: 'berth-webhook-configuration',
  })
  for (const body of notes.webhooks) {
    const name = metaOf(new Fields(body, [])).name
    const kind = 'ValidatingWebhookConfiguration'
    if ((await readOne(walk, { kind, name })) !== undefined) continue
    await ifNew(api.call({ method: 'POST', path: pathOf(resourceOf(kind)), body }))
  }
}

const converterIn = (conversion: Fields): string =>
  JSON.stringify(conversion.inner('webhook').inner('clientConfig').inner('service').json)

/** It releases its Lease, for which it needs its rights: so it ends before they go. */
async function endBerth(walk: Walk): Promise<void> {
  const { namespace } = walk
  const named = { kind: 'Deployment', name: leaseName, namespace } as const
  if ((await readOne(walk, named)) === undefined) return
  await change(walk, named, (deployment) => ({
    ...deployment,
    spec: { ...new Fields(deployment['spec'], []).json, replicas: 0 },
  }))
  await waitFor(walk, async () => {
    const { berth } = await readProgress(walk)
    const left = berth.controller?.inner('status').number('replicas') ?? 0
    return left === 0 && !berth.isLed ? '' : "Berth's controller does not end"
  })
}
