// Who has the BGP sessions? The speaker itself, FRR beside it, or frr-k8s.
import type { Style } from '../../core/session/bgp/routeAttributes.ts'
import type { ReloaderFiles } from '../../edge/host/frrReloader.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { ifThere } from '../../edge/kube/api/notFound.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { isRecord } from '../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'
import { bgpProtocol } from './bgp/bgpProtocol.ts'
import type { BgpWant } from './bgp/bgpWant.ts'
import { newPeerKeys } from './bgp/peerKeys.ts'
import { FrrFile } from './frr/frrFile.ts'
import { FrrK8sObject } from './frr/frrK8sObject.ts'
import { frrProtocol } from './frr/frrProtocol.ts'
import type { ProtocolEntry } from './protocol.ts'

export type BgpBackend =
  | {
      readonly by: 'berth'
      /** Whose routes ours look like. */
      readonly style: Style
      /** Where routers may connect to; undefined: nowhere. */
      readonly listenPort: number | undefined
    }
  | {
      readonly by: 'frr'
      readonly files: ReloaderFiles
      /** FRR's word. */
      readonly logLevel: string
      readonly debounceMs: number
    }
  /** `namespace`: of frr-k8s; undefined: our own. */
  | {
      readonly by: 'frr-k8s'
      readonly namespace: string | undefined
      readonly debounceMs: number
    }

/** MetalLB's, with more for FRR than our resources can say. */
const extrasMap = 'bgpextras'

export function bgpBackend(backend: BgpBackend, drainMs: number): ProtocolEntry<BgpWant> {
  if (backend.by === 'berth') {
    const { style, listenPort } = backend
    return bgpProtocol({ style, listenPort, drainMs })
  }
  const { debounceMs } = backend
  return frrProtocol({
    drainMs,
    debounceMs,
    output(host) {
      const { api, world, clock } = host
      const [{ ownNamespace }, { nowMs }] = [world, clock]
      const keys = newPeerKeys(host)
      if (backend.by === 'frr-k8s') {
        const { namespace = ownNamespace } = backend
        return new FrrK8sObject({ api, keys, namespace, nowMs })
      }
      const { files, logLevel } = backend
      const extras = () => extrasIn(api, ownNamespace)
      return new FrrFile({ files, keys, logLevel, extras, nowMs })
    },
  })
}

async function extrasIn(api: Api, namespace: string): Promise<string> {
  const path = pathOf(resourceOf('ConfigMap', namespace), extrasMap)
  const found = await ifThere(api.call({ method: 'GET', path }))
  const values = isRecord(found) ? found['data'] : undefined
  const text = isRecord(values) ? values['extras'] : undefined
  return typeof text === 'string' ? text.trimEnd() : ''
}
