// What does a client read? One object or a list, at the revision that it asks for.
import type { RequestedKind } from '../kinds/kinds.ts'
import { resourceOf } from '../kinds/storedKind.ts'
import { done } from '../values/status.ts'
import { notFound } from '../write/refusals.ts'
import type { ReadObjects } from './backend.ts'
import { listReply, objectReply, type Showing } from './forms.ts'
import type { ListOptions } from './listOptions.ts'
import { tooLargeRevision } from './refusals.ts'
import { type Reply, refusal } from './reply.ts'
import { expired, momentOf, parseRevision } from './revisions.ts'
import type { SlicesOfUser } from './slices.ts'
import type { ResourceTarget } from './target.ts'
import type { View } from './view.ts'

export type Reading = Showing & { readonly objects: ReadObjects }
export type ResourceRequest = {
  readonly found: RequestedKind
  readonly target: ResourceTarget
  readonly view: View
  /** Of the client, for whatever has to be parsed. */
  readonly slices: SlicesOfUser
}

export async function readObject(
  reading: Reading,
  request: ResourceRequest,
  resourceVersion: string,
): Promise<Reply> {
  const { found, target, slices } = request
  const { objects } = reading
  const asked = resourceVersion === '' ? done(0) : parseRevision(resourceVersion)
  if (!asked.ok) return refusal(asked)
  if (asked.value > objects.revision) {
    return refusal(tooLargeRevision(asked.value, objects.revision))
  }
  const name = target.name ?? ''
  const namespace = found.kind.isNamespaced ? (target.namespace ?? '') : ''
  const stored = objects.get(resourceOf(found.kind), namespace, name)
  if (stored === undefined) return refusal(notFound(found.kind, name))
  return objectReply(reading, { found, view: request.view, stored, code: 200 }, slices)
}

export async function readList(
  reading: Reading,
  request: ResourceRequest,
  options: ListOptions,
): Promise<Reply> {
  const { found, target, view, slices } = request
  const { objects } = reading
  const moment = momentOf(options, objects.revision)
  if (!moment.ok) return refusal(moment)
  const page = objects.list({
    resource: resourceOf(found.kind),
    namespace: target.namespace,
    matches: options.matches,
    ...moment.value,
  })
  if (page === 'expired') return expired(moment.value)
  if (page === 'future') return refusal(tooLargeRevision(moment.value.at ?? 0, objects.revision))
  return listReply(reading, { found, view, page }, slices)
}
