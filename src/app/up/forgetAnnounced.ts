// What did this machine report while it announced? Without a speaker, nobody keeps that current.
import { type Api, newApi } from '../../edge/kube/api/client.ts'
import type { Connection } from '../../edge/kube/api/connection.ts'
import { listPages } from '../../edge/kube/api/listPages.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { decodeL2Status } from '../../edge/kube/decode/decodeL2Status.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'
import { ifThere } from '../../edge/kube/write/race.ts'
import { thisMachine } from './machine.ts'

const reports = resourceOf('NodeInterfaces')

/** At the start, because a killed instance could not clean up, and a new speaker needs it. */
export async function forgetAnnounced(connection: Connection, namespace: string): Promise<void> {
  const api = newApi(connection)
  const { hostname } = thisMachine()
  try {
    await forgetStatuses(api, namespace, hostname)
    await ifThere(api.call({ method: 'DELETE', path: pathOf(reports, hostname) }))
  } finally {
    api.close()
  }
}

async function forgetStatuses(api: Api, namespace: string, node: string): Promise<void> {
  const statuses = resourceOf('ServiceL2Status', namespace)
  const names: string[] = []
  for await (const { items } of listPages(api, statuses, new AbortController().signal)) {
    for (const item of items) {
      const status = decodeL2Status(new Fields(item, []))
      if (status.node === node) names.push(status.name)
    }
  }
  for (const name of names) {
    await ifThere(api.call({ method: 'DELETE', path: pathOf(statuses, name) }))
  }
}
