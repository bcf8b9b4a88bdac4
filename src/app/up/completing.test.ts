// Which pods does the embedded API ask about? Those that the webhook would be asked for (R12.15).
import { expect, test } from 'vitest'
import { WritesStand } from '../../../test/build/writesStand.ts'
import { completing } from './completing.ts'

const refuse = async () => ({ ok: false, why: 'Berth is starting: try again' }) as const
const options = {
  isDryRun: false,
  fieldManager: 'tester',
  fieldValidation: 'Warn',
  isForced: false,
} as const

test.each([
  ['an ordinary pod', { app: 'web' }, true],
  ['a pod of a StatefulSet', { 'statefulset.kubernetes.io/pod-name': 'ovn-0' }, false],
])('[R12.15] while nobody can answer, %s is made: %s -> %s', async (_, labels, isMade) => {
  const stand = await WritesStand.start()
  await stand.create('/api/v1/namespaces', { metadata: { name: 'red' } })
  const found = stand.writes.kinds.find('', 'v1', 'pods')
  if (found === undefined) throw new Error('no pods')
  const object = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'ovn-0', labels } },
    spec: { containers: [{ name: 'main', image: 'main' }] },
  }
  const place = { found, namespace: 'red', name: '', isStatus: false, person: { user: 'admin' } }
  const sent = { object, duplicates: [] }
  const answer = await completing(stand.writes, refuse).create(place, sent, options)
  const there = await stand.get('/api/v1/namespaces/red/pods/ovn-0')
  expect([answer.ok, there.code]).toEqual([isMade, isMade ? 200 : 404])
})
