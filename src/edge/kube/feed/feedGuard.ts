// May objects of a kind be taken for gone? Not while its definition is: then everything is kept
// (R3.13). The objects of a definition that is deleted go first, one by one, and look deleted.
import type { Api } from '../api/client.ts'
import { Fault, faultFrom } from '../api/fault.ts'
import { pathOf, type Resource } from '../api/resource.ts'
import { Fields } from '../decode/fields.ts'
import { resourceOf } from '../kinds.ts'

const definitions = resourceOf('CustomResourceDefinition')

/** Why nothing of the kind may be taken for gone; undefined when its definition stands. */
export async function whyKept(api: Api, { plural, group }: Resource): Promise<Fault | undefined> {
  const name = `${plural}.${group}`
  try {
    const path = pathOf(definitions, name)
    const definition = new Fields(await api.call({ method: 'GET', path }), [])
    if (definition.inner('metadata').text('deletionTimestamp') === '') return undefined
    return new Fault(`CustomResourceDefinition ${name} is being deleted: addressing is frozen`)
  } catch (error) {
    return faultFrom(error, `CustomResourceDefinition ${name}`)
  }
}
