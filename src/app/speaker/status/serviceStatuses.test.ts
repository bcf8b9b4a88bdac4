// Proves that the cache matches the API whichever arrives first, an answer or the watch.
import { expect, test } from 'vitest'
import { newClock } from '../../../../test/build/manualClock.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ServiceStatuses } from './serviceStatuses.ts'

const api: Api = {
  call: () => Promise.reject(new Error('no call expected')),
  async *stream() {
    yield* []
  },
  close: () => undefined,
}

const status = (version: number, uid = 'a') => ({
  metadata: { name: 'l2-web', uid, resourceVersion: String(version) },
  status: { node: 'node-1', serviceName: 'web', serviceNamespace: 'shop' },
})

function stand() {
  const told: string[] = []
  const statuses = new ServiceStatuses({
    kind: 'ServiceL2Status',
    api,
    clock: newClock(),
    random: () => 0,
    namespace: 'metallb-system',
    log: () => undefined,
    changed: (service, node) => told.push(`${service} ${node}`),
  })
  return {
    statuses,
    told,
    versions: () => statuses.of('shop/web').map(({ version }) => version),
    init: () => statuses.take({ type: 'init' }),
    done: (asOf: number) => statuses.take({ type: 'init-done', resourceVersion: String(asOf) }),
    apply: (json: unknown) => statuses.take({ type: 'apply', json }),
    delete: (json: unknown) => statuses.take({ type: 'delete', json }),
  }
}

test('the answer and the event of one write are one change', () => {
  const { statuses, apply, told, versions } = stand()
  statuses.answered(status(5))
  apply(status(5))
  apply(status(4))
  expect([versions(), told]).toEqual([[5], ['shop/web node-1']])
})

test('an answer about an object that was deleted since is ignored', () => {
  const { statuses, apply, delete: remove, versions } = stand()
  apply(status(5))
  remove(status(7))
  statuses.answered(status(6))
  expect(versions()).toEqual([])
  statuses.answered(status(8, 'b'))
  expect(versions()).toEqual([8])
})

test('deleting an object does not delete its successor of the same name', () => {
  const { statuses, delete: remove, versions } = stand()
  statuses.answered(status(8, 'b'))
  remove(status(7))
  expect(versions()).toEqual([8])
})

test.each([
  { asOf: 4, stays: [5], why: 'an object written after the list was made stays' },
  { asOf: 6, stays: [], why: 'an object deleted before the list was made goes' },
])('$why', ({ asOf, stays }) => {
  const { statuses, init, done, versions } = stand()
  init()
  statuses.answered(status(5))
  done(asOf)
  expect(versions()).toEqual(stays)
})

test('an answer that arrives after a whole list is checked against it', () => {
  const { statuses, init, done, versions } = stand()
  init()
  done(6)
  statuses.answered(status(5))
  expect(versions()).toEqual([])
})

test('a new list replaces everything, even if versions start over', () => {
  const { statuses, apply, init, done, versions } = stand()
  apply(status(500))
  init()
  done(3)
  expect(versions()).toEqual([])
  statuses.answered(status(4, 'b'))
  expect(versions()).toEqual([4])
})
