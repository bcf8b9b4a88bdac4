// May objects of a kind be taken for gone? Not while their definition or our namespace is going:
// then everything is kept (R3.13). They go first, one by one, and look deleted.
import type { Api } from '../api/client.ts'
import { ApiError, Fault, faultFrom } from '../api/fault.ts'
import { isNotFound } from '../api/notFound.ts'
import { pathOf, type Resource } from '../api/resource.ts'
import { Fields } from '../decode/fields.ts'
import { resourceOf } from '../kinds.ts'

const definitions = resourceOf('CustomResourceDefinition')
const namespaces = resourceOf('Namespace')

type Question = {
  readonly resource: Resource
  /** The object that looks deleted; undefined if a list lacks some. */
  readonly gone: unknown
  readonly asksNamespace: boolean
}

type Doubt = {
  readonly fault: Fault
  /** The definition is gone or going. Otherwise we could not ask, and the next list asks again. */
  readonly isLost: boolean
}

/** Why nothing of the kind may be taken for gone; undefined when it may. */
export async function whyKept(api: Api, question: Question): Promise<Doubt | undefined> {
  const { resource, asksNamespace } = question
  const { namespace } = resource
  const doubt = await whyDefinition(api, question)
  if (doubt !== undefined || namespace === undefined || !asksNamespace) return doubt
  return whyNamespace(api, namespace)
}

async function whyDefinition(api: Api, { resource, gone }: Question): Promise<Doubt | undefined> {
  const what = `CustomResourceDefinition ${resource.plural}.${resource.group}`
  try {
    const path = pathOf(definitions, `${resource.plural}.${resource.group}`)
    const metadata = metadataOf(await api.call({ method: 'GET', path }))
    if (isGoing(metadata)) return going(what)
    // Made again since: the object went with the one before it.
    const isYounger = metadata.text('creationTimestamp') > createdAt(gone)
    return gone !== undefined && isYounger ? going(what) : undefined
  } catch (error) {
    return { fault: faultFrom(error, what), isLost: isNotFound(error) }
  }
}

async function whyNamespace(api: Api, name: string): Promise<Doubt | undefined> {
  const what = `namespace ${name}`
  try {
    const path = pathOf(namespaces, name)
    return isGoing(metadataOf(await api.call({ method: 'GET', path }))) ? going(what) : undefined
  } catch (error) {
    const isForbidden = error instanceof ApiError && error.code === 403
    // Rights of an earlier version do not have this one.
    return isForbidden ? undefined : { fault: faultFrom(error, what), isLost: isNotFound(error) }
  }
}

const going = (what: string): Doubt => ({
  fault: new Fault(`${what} is being deleted: addressing is frozen`),
  isLost: true,
})

const metadataOf = (json: unknown): Fields => new Fields(json, []).inner('metadata')
const createdAt = (json: unknown): string => metadataOf(json).text('creationTimestamp')
const isGoing = (metadata: Fields): boolean => metadata.text('deletionTimestamp') !== ''
