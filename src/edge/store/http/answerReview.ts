// How is a review answered? It is sent like an object, but nothing is stored.

import { notServed } from '../write/refusals.ts'
import { formOf } from './accept.ts'
import { decodeObject, type ParseYaml } from './decodeBody.ts'
import type { Person } from './person.ts'
import { methodNotAllowed } from './refusals.ts'
import { jsonReply, type Reply, refusal } from './reply.ts'
import type { Review } from './reviews.ts'
import type { ResourceTarget } from './target.ts'
import { type BodyLimits, type Incoming, withBody } from './withBody.ts'

type AskedReview = {
  readonly review: Review
  readonly target: ResourceTarget
  readonly incoming: Incoming
  readonly person: Person
  readonly now: () => Date
  readonly bodies: BodyLimits
  readonly parseYaml: ParseYaml
}

export async function answerReview(asked: AskedReview): Promise<Reply> {
  const { review, target, incoming, person, now, bodies, parseYaml } = asked
  if (target.name !== undefined || target.namespace !== undefined) return refusal(notServed)
  if (target.verb !== 'create') return refusal(methodNotAllowed)
  const form = formOf(incoming.request.headers.accept, ['object'])
  if (!form.ok) return refusal(form)
  const type = incoming.request.headers['content-type'] ?? ''
  const { kind, apiVersion } = review
  const answer = await withBody(incoming, { ...bodies, user: person.user }, (bytes) => {
    const sent = decodeObject({ bytes, type, parseYaml }, { kind, apiVersion }, false)
    return sent.ok ? review.answer(person, sent.value.object, now()) : sent
  })
  return answer.ok ? jsonReply(201, { kind, apiVersion, ...answer.value }) : refusal(answer)
}
