// Which pods does the embedded API ask about? Those that the webhook would be asked for (R12.15).
import { expect, test } from 'vitest'
import type { Writes as Writing } from '../../edge/store/write/writes.ts'
import { completing } from './completing.ts'

const refuse = async () => ({ ok: false, why: 'Berth is starting: try again' }) as const

test.each([
  ['an ordinary pod', { app: 'web' }, true],
  ['a pod of a StatefulSet', { 'statefulset.kubernetes.io/pod-name': 'ovn-0' }, false],
])('[R12.15] while nobody can answer, %s is made: %s -> %s', async (_, labels, isMade) => {
  const made: unknown[] = []
  const create = async (...args: unknown[]) => {
    made.push(args)
    return { ok: true, value: { warnings: [] } }
  }
  const writes = completing({ create } as unknown as Writing, refuse)
  type Create = Parameters<typeof writes.create>
  const place = { namespace: 'red', found: { kind: { group: '', kind: 'Pod' } } }
  const sent = { object: { metadata: { name: 'ovn-0', labels } } }
  const answer = await writes.create(
    place as unknown as Create[0],
    sent as unknown as Create[1],
    { isDryRun: false } as Create[2],
  )
  expect([answer.ok, made.length]).toEqual([isMade, isMade ? 1 : 0])
})
