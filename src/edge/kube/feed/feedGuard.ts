// May objects of a kind be taken for gone? Not while its definition is: then everything is kept
// (R3.13). The objects of a definition that is deleted go first, one by one, and look deleted.
import type { Api } from '../api/client.ts'
import { ApiError, Fault, faultFrom } from '../api/fault.ts'
import { pathOf, type Resource } from '../api/resource.ts'
import { Fields } from '../decode/fields.ts'
import { resourceOf } from '../kinds.ts'

const definitions = resourceOf('CustomResourceDefinition')

type Doubt = {
  readonly fault: Fault
  /** The definition is gone or going. Otherwise we could not ask, and the next list asks again. */
  readonly isLost: boolean
}

/** Why nothing of the kind may be taken for gone; undefined when its definition stands. */
export async function whyKept(api: Api, { plural, group }: Resource): Promise<Doubt | undefined> {
  const name = `${plural}.${group}`
  try {
    const path = pathOf(definitions, name)
    const definition = new Fields(await api.call({ method: 'GET', path }), [])
    if (definition.inner('metadata').text('deletionTimestamp') === '') return undefined
    const why = `CustomResourceDefinition ${name} is being deleted: addressing is frozen`
    return { fault: new Fault(why), isLost: true }
  } catch (error) {
    const isLost = error instanceof ApiError && error.code === 404
    return { fault: faultFrom(error, `CustomResourceDefinition ${name}`), isLost }
  }
}
