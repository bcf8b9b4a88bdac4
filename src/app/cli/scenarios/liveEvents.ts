// What was said to Services? Each Event is told once, in the step in which it came.
import type { Api } from '../../../edge/kube/api/client.ts'
import { Fields, isRecord } from '../../../edge/kube/decode/fields.ts'

type LiveEvent = { readonly service: string; readonly reason: string }

const selector = { fieldSelector: 'involvedObject.kind=Service' }

export function newEvents(api: Api): () => Promise<readonly LiveEvent[]> {
  const told = new Set<string>()
  return async () => {
    const list = await api.call({ method: 'GET', path: '/api/v1/events', query: selector })
    const items = isRecord(list) && Array.isArray(list['items']) ? list['items'] : []
    return items.flatMap((json) => {
      const event = new Fields(json, [])
      const [uid, about] = [event.inner('metadata').text('uid'), event.inner('involvedObject')]
      if (told.has(uid)) return []
      told.add(uid)
      const service = `${about.text('namespace')}/${about.text('name')}`
      return [{ service, reason: event.text('reason') }]
    })
  }
}
