// Large objects that are made from ever new ones, which are deleted again. The attacker may make and delete
// DNSData, or pods with routes, in its namespace. Afterwards: memory holds nothing of what is gone.
// Before: the controller kept the text of everything that it had ever written, until it had no memory left.
import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, test } from 'vitest'
import type { ApiRequest } from '../../src/edge/kube/api/client.ts'
import { ApiError } from '../../src/edge/kube/api/fault.ts'
import { Keeper } from '../../src/edge/kube/write/keeper.ts'

v8.setFlagsFromString('--expose-gc')
const collect: () => void = vm.runInNewContext('gc')
const heapMb = (): number => {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}

const nothing = { request: 'GET', code: 404, reason: 'NotFound', message: '', status: {} }

/** An API that has nothing and takes everything. */
const api = {
  async call({ method, body }: ApiRequest): Promise<unknown> {
    if (method === 'GET') throw new ApiError({ ...nothing, retryAfterMs: undefined })
    return { ...Object(body), data: {}, metadata: { resourceVersion: '7' } }
  },
  stream: () => {
    throw new Error('it is not watched')
  },
  close: () => undefined,
}

test('[R13.1] what is written for objects that are gone is forgotten', async () => {
  const keeper = new Keeper({
    ...{ api, ownNamespace: 'metallb-system', timestamp: () => '', mayWrite: () => true },
    // The watch shows that each is gone.
    known: () => undefined,
  })
  const before = heapMb()
  for (let at = 0; at < 400; at++) {
    const text = `${at}`.padEnd(500_000, ' host')
    const metadata = { name: `d${at}`, namespace: 'alpha' }
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text } }
    await keeper.keep({ type: 'apply', object })
  }
  expect(heapMb() - before).toBeLessThan(50)
})
