// Proves when an object that looks deleted is kept: with its definition or our namespace going
// (R3.13, R3.14).
import { expect, test } from 'vitest'
import type { Api, ApiRequest } from '../api/client.ts'
import { ApiError } from '../api/fault.ts'
import { whyKept } from './feedGuard.ts'

const resource = {
  group: 'metallb.io',
  version: 'v1beta1',
  plural: 'ipaddresspools',
  namespace: 'metallb-system',
}
const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
const stands = { creationTimestamp: early }
const goes = { ...stands, deletionTimestamp: late }
const refusal = (code: number) =>
  new ApiError({ request: '', code, reason: '', message: '', status: {}, retryAfterMs: undefined })

type Metadata = object | number
/** Answers with this metadata, or refuses with this code. */
function answering(definition: Metadata, namespace: Metadata): Api {
  const call = async ({ path }: ApiRequest): Promise<unknown> => {
    const metadata = path.includes('customresourcedefinitions') ? definition : namespace
    if (typeof metadata === 'number') throw refusal(metadata)
    return { metadata }
  }
  return { call } as Pick<Api, 'call'> as Api
}

type Row = {
  what: string
  definition?: Metadata
  namespace?: Metadata
  asksNamespace?: boolean
  gone?: object
  isLost: boolean | undefined
}
const gone = { metadata: { creationTimestamp: early } }
test.each<Row>([
  { what: 'all stands', gone, isLost: undefined },
  { what: 'the definition goes', definition: goes, gone, isLost: true },
  { what: 'the definition goes, and a list lacks some', definition: goes, isLost: true },
  { what: 'the definition is gone', definition: 404, gone, isLost: true },
  { what: 'the definition cannot be asked for', definition: 503, gone, isLost: false },
  {
    what: 'the definition is younger than the object',
    definition: { creationTimestamp: late },
    gone,
    isLost: true,
  },
  { what: 'the namespace goes', namespace: goes, gone, isLost: true },
  { what: 'the namespace is gone', namespace: 404, gone, isLost: true },
  { what: 'the namespace cannot be asked for', namespace: 503, gone, isLost: false },
  { what: 'the namespace is not ours to ask for', namespace: 403, gone, isLost: undefined },
  {
    what: 'a speaker does not ask',
    namespace: goes,
    asksNamespace: false,
    gone,
    isLost: undefined,
  },
])('$what: lost $isLost', async (row) => {
  const { definition = stands, namespace = stands, asksNamespace = true, gone: object } = row
  const api = answering(definition, namespace)
  const doubt = await whyKept(api, { resource, gone: object, asksNamespace })
  expect(doubt?.isLost).toBe(row.isLost)
})
