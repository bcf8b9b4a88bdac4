// How is a write answered? Body and parameters are read here; write/ decides what it does.
import { apiVersionOf } from '../kinds/storedKind.ts'
import type { Outcome } from '../values/status.ts'
import type { WriteTarget, Written } from '../write/asked.ts'
import type { Writes } from './backend.ts'
import { decodeObject, type ParseYaml, type Sent } from './decodeBody.ts'
import { deleteOptions } from './deleteOptions.ts'
import { listReply, objectReply } from './forms.ts'
import { listOptions } from './listOptions.ts'
import { decodePatch, patchType } from './patchBody.ts'
import { isBound, type Person } from './person.ts'
import type { Reading, ResourceRequest } from './read.ts'
import { jsonReply, type Reply, refusal } from './reply.ts'
import type { View } from './view.ts'
import { type BodyLimits, type Incoming, withBody } from './withBody.ts'
import { writeOptions } from './writeOptions.ts'

export type Writing = {
  readonly reading: Reading
  readonly writes: Writes
  readonly parseYaml: ParseYaml
  readonly bodies: BodyLimits
}
type AskedWrite = {
  readonly incoming: Incoming
  readonly query: URLSearchParams
  readonly person: Person
  readonly request: ResourceRequest
}

export async function answerWrite(writing: Writing, asked: AskedWrite): Promise<Reply> {
  const written = await write(writing, asked)
  if (!written.ok) return refusal(written)
  const { code, shows, warnings } = written.value
  const { found, slices } = asked.request
  const view = fitting(asked.request.view, 'page' in shows)
  if ('status' in shows) return { ...jsonReply(code, shows.status), warnings }
  if ('page' in shows) {
    const shown = { found, view, page: shows.page }
    return { ...(await listReply(writing.reading, shown, slices)), warnings }
  }
  const { stored } = shows
  const reply = await objectReply(writing.reading, { found, view, stored, code }, slices)
  return { ...reply, warnings }
}

/** The write has happened, so an unsuitable form of the answer is not an error. */
function fitting(view: View, isList: boolean): View {
  const unfit = isList ? 'PartialObjectMetadata' : 'PartialObjectMetadataList'
  return view.form.as === unfit ? { ...view, form: { as: 'object' } } : view
}

function write(writing: Writing, asked: AskedWrite): Promise<Outcome<Written>> {
  const { verb } = asked.request.target
  if (verb === 'patch') return patch(writing, asked)
  if (verb === 'delete' || verb === 'deletecollection') return remove(writing, asked)
  return withSent(writing, asked, (sent) => {
    const kind = verb === 'create' ? 'CreateOptions' : 'UpdateOptions'
    const options = optionsOf(asked, kind, false)
    if (!options.ok) return options
    const { found } = asked.request
    const apiVersion = apiVersionOf(found.kind, found.version.name)
    const expected = { kind: found.kind.kind, apiVersion }
    const object = decodeObject(sent, expected, !found.kind.isBuiltIn)
    if (!object.ok) return object
    const { writes } = writing
    return verb === 'create'
      ? writes.create(placeOf(asked), object.value, options.value)
      : writes.replace(placeOf(asked), object.value, options.value)
  })
}

async function patch(writing: Writing, asked: AskedWrite): Promise<Outcome<Written>> {
  const { incoming, request } = asked
  const type = patchType(incoming.request.headers['content-type'] ?? '', request.found.kind)
  if (!type.ok) return type
  return withSent(writing, asked, (sent) => {
    const options = optionsOf(asked, 'PatchOptions', type.value === 'apply')
    if (!options.ok) return options
    const decoded = decodePatch(sent, type.value)
    if (!decoded.ok) return decoded
    return writing.writes.patch(placeOf(asked), decoded.value, options.value)
  })
}

function remove(writing: Writing, asked: AskedWrite): Promise<Outcome<Written>> {
  const { query, request } = asked
  return withSent(writing, asked, (sent) => {
    const options = deleteOptions(sent, query)
    if (!options.ok) return options
    const { writes } = writing
    if (request.target.verb === 'delete') return writes.delete(placeOf(asked), options.value)
    const list = listOptions(query, request.found.kind, 'list')
    if (!list.ok) return list
    return writes.deleteCollection(placeOf(asked), list.value.matches, options.value)
  })
}

type Write = (sent: Sent) => Promise<Outcome<Written>> | Outcome<Written>

function withSent({ parseYaml, bodies }: Writing, asked: AskedWrite, use: Write) {
  const { incoming, person } = asked
  const type = incoming.request.headers['content-type'] ?? ''
  return withBody(incoming, { ...bodies, user: person.user }, (bytes) =>
    use({ bytes, type, parseYaml }),
  )
}

type OptionsKind = Parameters<typeof writeOptions>[0]['kind']

function optionsOf({ query, incoming }: AskedWrite, kind: OptionsKind, isApply: boolean) {
  const userAgent = incoming.request.headers['user-agent'] ?? ''
  return writeOptions({ kind, query, userAgent, isApply })
}

function placeOf({ request, person }: AskedWrite): WriteTarget {
  const { found, target } = request
  const { namespace = '', name = '', subresource } = target
  return {
    found,
    namespace: found.kind.isNamespaced ? namespace : '',
    name,
    isStatus: subresource === 'status',
    person,
    ...(isBound(person) ? { isBound: true } : {}),
  }
}
