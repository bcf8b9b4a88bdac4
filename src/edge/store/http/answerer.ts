// How is a request answered? Authentication, routing and authorization, then the handler.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { PeerCertificate } from 'node:tls'
import { WaitingBodies } from '../../host/waitingBodies.ts'
import type { Kinds, RequestedKind } from '../kinds/kinds.ts'
import { badRequest, type Outcome, refused } from '../values/status.ts'
import { internalError } from '../write/refusals.ts'
import { actingAs } from './actingAs.ts'
import { answerReview } from './answerReview.ts'
import { AnswersUnderWay } from './answersUnderWay.ts'
import { answerWrite, type Writing } from './answerWrite.ts'
import type { ReadObjects, Writes } from './backend.ts'
import type { ParseYaml } from './decodeBody.ts'
import { Documents } from './documents.ts'
import type { Limits } from './limits.ts'
import { listOptions } from './listOptions.ts'
import { forbidden, forbiddenToAct, may, mayImpersonate } from './may.ts'
import { ParsingRoom } from './parsingRoom.ts'
import type { Person } from './person.ts'
import { type Reading, type ResourceRequest, readList, readObject } from './read.ts'
import { jsonReply, type Reply, refusal, textReply } from './reply.ts'
import { reviews } from './reviews.ts'
import { beginStream, sendReply } from './send.ts'
import { Slices } from './slices.ts'
import { kindAt, type ResourceTarget, type Target, targetOf } from './target.ts'
import { viewOf } from './view.ts'
import { Watchers } from './watchers.ts'
import { LastLines } from './watchLines.ts'
import { startOf, WatchStream } from './watchStream.ts'
import { type FindHolder, whoAsks } from './who.ts'
import type { Incoming } from './withBody.ts'

export type AnswererParts = {
  readonly kinds: Kinds
  readonly objects: ReadObjects
  readonly writes: Writes
  readonly parseYaml: ParseYaml
  readonly findHolder: FindHolder
  /** The version of this program. */
  readonly build: string
  readonly now: () => Date
  /** From 0 to below 1. */
  readonly random: () => number
  readonly limits: Limits
  /** Called for a request that failed because of an internal error. */
  readonly failed: (error: unknown) => void
  /** Actions beside the Kubernetes API, by path: POST, for users who may do everything. */
  readonly actions?: ReadonlyMap<string, Action>
  /** Text beside the Kubernetes API, by path: GET, for users who may read everything. */
  readonly pages?: ReadonlyMap<string, () => Page>
}

export type Page = { readonly type: string; readonly text: string }

type Action = (query: URLSearchParams, person: Person) => Promise<Outcome<unknown>>

/** Undefined for a watch, which sends its own answer. */
type Answer = Reply | undefined
/** The client certificate, asked for each time: a connection can outlive it. */
type Shown = () => PeerCertificate | undefined
type Question = {
  readonly incoming: Incoming
  readonly person: Person
  readonly query: URLSearchParams
  /** Whether the client would still be admitted now. */
  readonly isLetIn: () => boolean
}

export class Answerer {
  readonly #parts: AnswererParts
  readonly #documents: Documents
  readonly #reading: Reading
  readonly #writing: Writing
  readonly #stopLooking: () => void
  readonly #last = new LastLines()
  /** With a check whether the client is still admitted. */
  readonly #watches = new Map<WatchStream, () => boolean>()
  /** What each connection is being sent as a stream, if it is. */
  readonly #streams = new WeakMap<Socket, ServerResponse>()
  readonly #underWay: AnswersUnderWay
  readonly #watchers: Watchers
  readonly #unread: WaitingBodies
  readonly #slices = new Slices()

  constructor(parts: AnswererParts) {
    this.#parts = parts
    const { objects, writes, parseYaml, limits, now } = parts
    this.#documents = new Documents(parts.kinds, parts.build, () => objects.problem)
    this.#underWay = new AnswersUnderWay(limits.answersBytes)
    this.#watchers = new Watchers(limits)
    this.#unread = new WaitingBodies(limits.answersBytes)
    this.#reading = { objects, now }
    const waiting = new WaitingBodies(limits.bodiesBytes)
    const parsing = new ParsingRoom(limits.parsingBytes)
    const bodies = { maxBytes: limits.bodyBytes, waiting, parsing }
    this.#writing = { reading: this.#reading, writes, parseYaml, bodies }
    const stopStale = this.#lookForStaleWatches()
    const ended = setInterval(() => this.#endUninvited(), limits.checkMs)
    this.#stopLooking = () => {
      clearInterval(ended)
      stopStale()
    }
  }

  /** Never throws. */
  take(incoming: Incoming, shown: Shown): void {
    const { request, response } = incoming
    // Behind a watch an answer would wait, with all that it holds, for as long as the client likes.
    if (this.#streams.get(request.socket)?.writableEnded === false) {
      request.destroy()
      return
    }
    const sending = { answerMs: this.#parts.limits.answerMs, underWay: this.#underWay }
    // A client that disconnects is not an error.
    response.on('error', () => undefined)
    this.#answer(incoming, shown)
      .then((answer) => answer && sendReply(incoming, answer, sending))
      .catch((error: unknown) => this.#fail(incoming, error))
  }

  close(): void {
    this.#stopLooking()
    for (const watch of this.#watches.keys()) watch.end()
  }

  /** Ends watches whose token or certificate is no longer valid. */
  #endUninvited(): void {
    for (const [watch, isLetIn] of this.#watches) if (!isLetIn()) watch.end()
  }

  /** Ends watches of a kind that was removed or changed, as Kubernetes does. */
  #lookForStaleWatches(): () => void {
    const { kinds } = this.#parts
    const look = (): void => {
      for (const watch of this.#watches.keys()) if (!watch.isServed(kinds)) watch.end()
    }
    // Their last bookmark is right only after all watches have been told of this change.
    return kinds.onChange(() => setImmediate(look))
  }

  async #fail(incoming: Incoming, error: unknown): Promise<void> {
    const { request, response } = incoming
    if (request.errored !== null || response.destroyed) return
    this.#parts.failed(error)
    const why = error instanceof Error ? error.message : String(error)
    const sending = { answerMs: this.#parts.limits.answerMs, underWay: this.#underWay }
    const reply = refusal(internalError(why))
    if (response.headersSent) response.destroy()
    else await sendReply(incoming, reply, sending).catch(() => undefined)
  }

  #whoAsks({ headers, method = '', url = '' }: IncomingMessage, shown: Shown): Outcome<Person> {
    const { authorization } = headers
    const presented = { certificate: shown(), authorization, method, url }
    return whoAsks(presented, this.#parts.findHolder)
  }

  async #answer(incoming: Incoming, shown: Shown): Promise<Answer> {
    const { request } = incoming
    const asking = this.#whoAsks(request, shown)
    if (!asking.ok) return refusal(asking)
    const [path = '', search = ''] = splitUrl(request.url ?? '')
    const query = new URLSearchParams(search)
    const target = targetOf({ method: request.method ?? '', path, query })
    if (!target.ok) return refusal(target)
    const acting = allowed(asking.value, request, target.value)
    if (!acting.ok) return refusal(acting)
    const isLetIn = (): boolean => {
      const now = this.#whoAsks(request, shown)
      return now.ok && allowed(now.value, request, target.value).ok
    }
    const question = { incoming, person: acting.value, query, isLetIn }
    if (target.value.type === 'resource') return this.#resource(question, target.value)
    const { method = '', headers } = request
    const action = method === 'POST' ? this.#parts.actions?.get(target.value.path) : undefined
    if (action !== undefined) {
      // No timeout, as it may take long; and impersonation does not apply here.
      request.socket.setTimeout(0)
      return actionReply(await action(query, asking.value))
    }
    const page = method === 'GET' ? this.#parts.pages?.get(target.value.path) : undefined
    if (page !== undefined) {
      const { type, text } = page()
      return { ...textReply(200, text), type }
    }
    const { accept, host = '' } = headers
    return this.#documents.answer({ method, path: target.value.path, query, accept, host })
  }

  async #resource(question: Question, target: ResourceTarget): Promise<Answer> {
    const { kinds, now, parseYaml } = this.#parts
    const { incoming, person } = question
    const review = reviews.get(`${target.group}/${target.version}/${target.plural}`)
    if (review !== undefined) {
      const { bodies } = this.#writing
      return answerReview({ review, target, incoming, person, now, bodies, parseYaml })
    }
    const found = kindAt(target, kinds)
    if (!found.ok) return refusal(found)
    const warning = found.value.version.deprecationWarning
    const answer = await this.#ofKind(question, target, found.value)
    if (answer === undefined || warning === undefined) return answer
    return { ...answer, warnings: [warning, ...(answer.warnings ?? [])] }
  }

  async #ofKind(question: Question, target: ResourceTarget, found: RequestedKind): Promise<Answer> {
    const { incoming, query, person } = question
    const view = viewOf(incoming.request.headers.accept, query)
    if (!view.ok) return refusal(view)
    const { socket } = incoming.request
    const slices = { of: this.#slices, user: person.user, isGone: () => socket.destroyed }
    const resource = { found, target, view: view.value, slices }
    switch (target.verb) {
      case 'get':
        return readObject(this.#reading, resource, query.get('resourceVersion') ?? '')
      case 'list': {
        const options = listOptions(query, found.kind, 'list')
        return options.ok ? readList(this.#reading, resource, options.value) : refusal(options)
      }
      case 'watch':
        return this.#watch(question, resource)
      default:
        return answerWrite(this.#writing, { incoming, query, person, request: resource })
    }
  }

  #watch({ incoming, query, person, isLetIn }: Question, resource: ResourceRequest): Answer {
    const { request, response } = incoming
    const leave = this.#watchers.enter(person)
    if (leave === undefined) return refusal(tooManyWatches)
    response.on('close', leave)
    if (request.headers.upgrade !== undefined) return refusal(noWebSocket)
    const options = listOptions(query, resource.found.kind, 'watch')
    if (!options.ok) return refusal(options)
    if (resource.view.form.as === 'PartialObjectMetadataList') return refusal(noListInWatch)
    const start = startOf(options.value, this.#parts.objects.revision)
    if (!start.ok) return refusal(start)
    const { limits, random, failed } = this.#parts
    const parts = {
      ...{ reading: this.#reading, request: resource, options: options.value, last: this.#last },
      ...{ limits, random, failed, unread: { of: this.#unread, user: person.user } },
    }
    const watch = new WatchStream(parts, response)
    this.#watches.set(watch, isLetIn)
    response.on('close', () => this.#watches.delete(watch))
    const warning = resource.found.version.deprecationWarning
    this.#streams.set(request.socket, response)
    beginStream(response, warning === undefined ? [] : [warning])
    watch.start(start.value)
    return undefined
  }
}

const actionReply = (outcome: Outcome<unknown>): Reply =>
  outcome.ok ? jsonReply(200, outcome.value) : refusal(outcome)

/** Clients that try a WebSocket first take this code as a sign to watch by HTTP. */
const noWebSocket = refused({
  code: 503,
  reason: 'ServiceUnavailable',
  message: 'a watch over a WebSocket is not supported; send the request without Upgrade',
})
const tooManyWatches = refused(
  { code: 429, reason: 'TooManyRequests', message: 'too many watches, please try again later' },
  { retryAfterSeconds: 10 },
)
const noListInWatch = badRequest('a watch cannot be sent as PartialObjectMetadataList')

/** A question mark inside the path is written %3F. */
function splitUrl(url: string): readonly [string, string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** The user that it acts as, if that user is allowed to do this. */
function allowed(person: Person, request: IncomingMessage, target: Target): Outcome<Person> {
  const acting = whoActs(person, request, target)
  if (!acting.ok) return acting
  return may(acting.value, target) ? acting : forbidden(acting.value, target)
}

function whoActs(person: Person, request: IncomingMessage, target: Target): Outcome<Person> {
  const acting = actingAs(person, request.headersDistinct)
  if (!acting.ok || acting.value === person) return acting
  return mayImpersonate(person) ? acting : forbiddenToAct(person, acting.value, target)
}
