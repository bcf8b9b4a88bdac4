// Objects as the embedded API keeps them: a test states what differs.
import type { Page } from '../../src/edge/store/storage/page.ts'
import type { Stored } from '../../src/edge/store/storage/stored.ts'

export function stored(revision: number, key: string, given: Partial<Stored> = {}): Stored {
  const [namespace = '', name = ''] = key.split('/')
  const { bytes = Buffer.from(JSON.stringify({ key, revision })) } = given
  return {
    resource: 'services',
    namespace,
    name,
    uid: `uid-of-${key}`,
    revision,
    labels: {},
    fields: {},
    owners: [],
    ...given,
    // Its own, as the API gives it: a Buffer is a view into a pool.
    bytes: new Uint8Array(bytes),
  }
}

export const textOf = ({ bytes }: Stored): string => Buffer.from(bytes).toString()

export function keysOf(page: Page | string): readonly string[] {
  if (typeof page === 'string') throw new Error(page)
  return page.items.map(({ namespace, name }) => `${namespace}/${name}`)
}
