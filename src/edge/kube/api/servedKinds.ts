// Where does this API serve a kind? From its discovery. Known kinds are cached, unknown ones are
// looked up again, because definitions may have just been applied.
import { isRecord } from '../decode/fields.ts'
import type { Api } from './client.ts'
import { ifThere } from './notFound.ts'
import type { Resource } from './resource.ts'

export type ServedKind = {
  readonly kind: string
  readonly apiVersion: string
  readonly resource: Resource
  readonly isNamespaced: boolean
  readonly hasStatus: boolean
}

export class ServedKinds {
  readonly #api: Api
  readonly #known = new Map<string, Promise<readonly ServedKind[]>>()

  constructor(api: Api) {
    this.#api = api
  }

  async find(apiVersion: string, kind: string): Promise<ServedKind | undefined> {
    const listing = this.#known.get(apiVersion) ?? this.#list(apiVersion)
    this.#known.set(apiVersion, listing)
    let found: ServedKind | undefined
    try {
      found = (await listing).find((one) => one.kind === kind)
    } finally {
      if (found === undefined) this.#known.delete(apiVersion)
    }
    return found
  }

  async #list(apiVersion: string): Promise<readonly ServedKind[]> {
    const [version = '', group = ''] = apiVersion.split('/').reverse()
    const path = group === '' ? `/api/${version}` : `/apis/${apiVersion}`
    const answer = await ifThere(this.#api.call({ method: 'GET', path }))
    const resources = isRecord(answer) ? answer['resources'] : undefined
    const all = (Array.isArray(resources) ? resources : []).filter(isRecord)
    const names = new Set(all.map((one) => one['name']))
    return all.map((one) => ({
      kind: String(one['kind']),
      apiVersion,
      resource: { group, version, plural: String(one['name']) },
      isNamespaced: one['namespaced'] === true,
      hasStatus: names.has(`${one['name']}/status`),
    }))
  }
}
