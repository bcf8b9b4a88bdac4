// What did this machine report while it announced? Without a speaker, nobody keeps that current.
import { newApi } from '../../edge/kube/api/client.ts'
import type { Connection } from '../../edge/kube/api/connection.ts'
import { ifThere } from '../../edge/kube/api/notFound.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { canTell, ofNode } from '../../edge/kube/decode/decodeServiceStatus.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'
import { thisMachine } from './machine.ts'

const reports = resourceOf('NodeInterfaces')

/** At the start, because a killed instance could not clean up, and a new speaker needs it. */
export async function forgetAnnounced(connection: Connection, namespace: string): Promise<void> {
  const api = newApi(connection)
  const { hostname } = thisMachine()
  const labelled = [
    resourceOf('ServiceL2Status', namespace),
    resourceOf('ServiceBGPStatus', namespace),
    resourceOf('BGPSession'),
  ]
  try {
    for (const resource of canTell(hostname) ? labelled : []) {
      const query = ofNode(hostname)
      await ifThere(api.call({ method: 'DELETE', path: pathOf(resource), query }))
    }
    await ifThere(api.call({ method: 'DELETE', path: pathOf(reports, hostname) }))
  } finally {
    api.close()
  }
}
