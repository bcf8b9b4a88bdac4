// What keeps a pod of a DNS server from answering, as kubelet and the scheduler report it?
import { expect, test } from 'vitest'
import { decodeServerPod } from './decodeServerPod.ts'
import { Fields } from './fields.ts'

const test1 = 'dnsmasq: bad CNAME at line 1 of /etc/dnsmasq.d/config.cfg'
const failed = { terminated: { exitCode: 1, reason: 'Error', message: `one line\n${test1}\n` } }
const done = { terminated: { exitCode: 0, reason: 'Completed' } }
const backOff = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 20s' } }
const running = { running: { startedAt: '2026-01-01T00:00:00Z' } }
const init = (state: object, lastState: object = {}) => ({
  initContainerStatuses: [{ name: 'init', state, lastState }],
})
const main = (state: object, lastState: object = {}) => ({
  initContainerStatuses: [{ name: 'init', state: done }],
  containerStatuses: [{ name: 'hosts', state, lastState }],
})

const cases: readonly (readonly [string, object, string])[] = [
  ['is starting', init({ waiting: { reason: 'PodInitializing' } }), ''],
  ['runs', main(running), ''],
  ['ran into an error once and runs', main(running, failed), ''],
  ['does not take an option', init(failed), `init: ${test1}`],
  ['waits before it tries again', init(backOff, failed), `init: ${test1}`],
  ['tries again', init(running, failed), `init: ${test1}`],
  ['took it in the end', init(done, failed), ''],
  [
    'has no image',
    main({ waiting: { reason: 'ImagePullBackOff', message: 'no such image' } }),
    'hosts: ImagePullBackOff: no such image',
  ],
  [
    'ended without a word',
    main({ terminated: { exitCode: 137, message: '' } }),
    'hosts: ended with status 137',
  ],
  [
    'has no node',
    { conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }] },
    '0/3 nodes are available',
  ],
]
test.each(cases)('[R13.6] one that %s', (_, status, trouble) => {
  const metadata = { name: 'dnsmasq-dns-1', namespace: 'openstack' }
  expect(decodeServerPod(new Fields({ metadata, status }, [])).trouble).toBe(trouble)
})

test('[R13.6] one that goes has no trouble', () => {
  const metadata = { name: 'a', namespace: 'b', deletionTimestamp: '2026-01-01T00:00:00Z' }
  expect(decodeServerPod(new Fields({ metadata, status: init(failed) }, [])).trouble).toBe('')
})
