// What does a Deployment say of a dnsmasq that is our child? What the kubelet would say of a pod,
// and where it answers.
import type { DeploymentView } from '../../../core/model/names/dns.ts'
import { berth } from '../../../edge/kube/annotations.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import type { DnsPlace } from './dnsProcess.ts'
import type { DnsServer } from './dnsServer.ts'

const contentType = 'application/merge-patch+json'

const textOf = ({ address, port }: DnsPlace): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`

export async function reportServer(
  api: Api,
  deployment: DeploymentView,
  { isReady, trouble, place }: Pick<DnsServer, 'isReady' | 'trouble'> & { place?: DnsPlace },
): Promise<void> {
  const { generation, replicas } = deployment
  const ready = isReady ? replicas : 0
  const at = place === undefined ? '' : textOf(place)
  const isSame =
    deployment.observedGeneration === generation &&
    deployment.readyReplicas === ready &&
    deployment.updatedReplicas === replicas &&
    deployment.trouble === trouble &&
    deployment.answersAt.join() === at
  if (isSame) return
  const resource = resourceOf('Deployment', deployment.namespace)
  const path = (sub?: string) => pathOf(resource, deployment.name, sub)
  const conditions = [
    { type: 'Available', status: isReady ? 'True' : 'False' },
    ...(trouble === '' ? [] : [{ type: 'ReplicaFailure', status: 'True', message: trouble }]),
  ]
  const status = {
    observedGeneration: generation,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: ready,
    availableReplicas: ready,
    conditions,
  }
  const metadata = { annotations: { [berth.answersAt]: at } }
  try {
    await api.call({ method: 'PATCH', path: path(), contentType, body: { metadata } })
    await api.call({ method: 'PATCH', path: path('status'), contentType, body: { status } })
  } catch (error) {
    // Deleted or changed meanwhile: the change itself wakes us.
    if (!(error instanceof ApiError)) throw error
  }
}
