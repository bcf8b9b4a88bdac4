import { expect, test } from 'vitest'
import type { JsonObject } from '../../core/model/gate.ts'
import { tokenTable } from './tokenTable.ts'

const now = new Date('2026-01-02T00:00:00Z')
function secret(id: string, data: Readonly<Record<string, string>>): JsonObject {
  const entries = Object.entries(data).map(([key, text]) => [key, btoa(text)])
  const metadata = { name: `berth-token-${id}`, labels: { 'berth.dev/token': id } }
  return { type: 'berth.dev/token', metadata, data: Object.fromEntries(entries) }
}

test('each has a line: whose it is, what it may and until when', () => {
  const tokens = [
    secret('0000000001', { user: 'dora', readOnly: 'false' }),
    secret('0000000002', { user: 'ci', readOnly: 'true', until: '2026-01-03T00:00:00Z' }),
    secret('0000000003', {
      user: 'berth-token:0000000003',
      readOnly: 'false',
      namespace: 'shop',
      until: '2026-01-01T00:00:00Z',
    }),
    { ...secret('0000000004', {}), type: 'Opaque' },
  ]
  expect(tokenTable(tokens, now)).toBe(`\
ID           USER                     MAY                  UNTIL
0000000001   dora                     everything           no end
0000000002   ci                       read                 2026-01-03T00:00:00Z
0000000003   berth-token:0000000003   everything in shop   over since 2026-01-01T00:00:00Z
`)
})

test('none is told as such', () => expect(tokenTable([], now)).toBe('no tokens\n'))
