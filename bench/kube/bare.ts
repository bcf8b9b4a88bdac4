// How fast does the server accept the controller's writes from a client without any logic? The same
// requests: an Address is created, then the status of its Service is patched.
import { addressCall } from '../../src/app/controller/addressCall.ts'
import { servicePatch } from '../../src/app/controller/servicePatch.ts'
import type { ServiceView } from '../../src/core/model/service.ts'
import { nameOfAddress } from '../../src/core/net/addressName.ts'
import { fromBigInt } from '../../src/core/net/ip.ts'
import type { ApiRequest } from '../../src/edge/kube/api/client.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import { inParallel } from './bareClient.ts'
import { services, type Town } from './town.ts'

type Pair = { readonly claim: ApiRequest; readonly status: ApiRequest }

/** From 10.0.0.0 on. */
function pairFor(view: ServiceView, number: number): Pair {
  const ip = fromBigInt('IPv4', (10n << 24n) + BigInt(number))
  const { namespace, name, uid, ports, backend } = view
  const holders = [{ kind: 'Service', namespace, name, uid, ports, backend }]
  const spec = { address: ip, pool: 'town', sharingKey: '', holders }
  const condition = { status: 'True', reason: 'Addressed', message: '' } as const
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  return {
    claim: addressCall({ type: 'put', name: nameOfAddress(ip), isOurs: true, spec }, undefined),
    status: {
      method: 'PATCH',
      path: pathOf({ ...services, namespace }, name, 'status'),
      contentType: 'application/strategic-merge-patch+json',
      body: servicePatch(view, { ips: [ip], pool: 'town', condition }, now),
    },
  }
}

export type BareRun = {
  readonly atOnce: number
  readonly count: number
  readonly ms: number
}

/** Each worker claims an address and then writes the status, as the controller does. */
export async function bareWrites(
  { client }: Town,
  views: readonly ServiceView[],
  { atOnce, first = 0 }: { readonly atOnce: number; readonly first?: number },
): Promise<BareRun> {
  const pairs = views.map((view, index) => pairFor(view, first + index))
  const start = performance.now()
  await inParallel(atOnce, pairs, async ({ claim, status }) => {
    await client.send(claim)
    await client.send(status)
  })
  return { atOnce, count: pairs.length, ms: performance.now() - start }
}

export const pairsPerSecond = ({ count, ms }: BareRun): number => (count * 1000) / ms
