import { expect, test } from 'vitest'
import { ip } from '../../../test/build/announcing.ts'
import { Ledger } from '../model/ledger.ts'
import type { Claim } from '../model/slot.ts'
import { mayJoin, mayShare } from './share.ts'

const address = ip('10.0.0.1')
const claim = (key: string, given: Partial<Claim> = {}): Claim => ({
  key,
  createdAt: '',
  ports: ['TCP/80'],
  sharingKey: 'k',
  backend: '',
  tenant: '',
  ...given,
})

type Case = { rule: string; mine?: Partial<Claim>; others: Partial<Claim>[]; answer: string }
const cases: Case[] = [
  { rule: 'M3.4', others: [], answer: 'ok' },
  { rule: 'M3.4', others: [{ ports: ['TCP/443'] }], answer: 'ok' },
  { rule: 'M3.4', others: [{ ports: ['UDP/80'] }], answer: 'ok' },
  { rule: 'M3.4', others: [{ ports: ['TCP/443', 'TCP/80'] }], answer: 'sharing-port-taken' },
  { rule: 'M3.4', others: [{ sharingKey: 'j' }], answer: 'sharing-key-differs' },
  { rule: 'R7', mine: { sharingKey: '' }, others: [{}], answer: 'address-taken' },
  { rule: 'R7', others: [{ sharingKey: '', tenant: 'red' }], answer: 'address-taken' },
  { rule: 'M3.4', others: [{ backend: 'app=a', ports: [] }], answer: 'sharing-policy-differs' },
  { rule: 'R4.6', others: [{ tenant: 'red', sharingKey: 'j' }], answer: 'sharing-across-tenants' },
  {
    rule: 'M3.4',
    others: [{ ports: ['TCP/1'] }, { ports: ['TCP/2'] }, { ports: ['TCP/80'] }],
    answer: 'sharing-port-taken',
  },
  { rule: 'M3.4', others: [{ ports: ['TCP/1'] }, { ports: ['TCP/2'] }], answer: 'ok' },
]

test.each(cases)('[$rule] $mine beside $others: $answer', ({ mine = {}, others, answer }) => {
  const ledger = new Ledger()
  for (const [index, other] of others.entries()) {
    const key = `ns/other-${index}`
    ledger.hold(key, [address], claim(key, other))
  }
  const slot = ledger.slot(address)
  const verdict = slot === undefined ? { ok: true } : mayJoin(slot, claim('ns/me', mine))
  expect('reason' in verdict ? verdict.reason : 'ok').toBe(answer)
})

test('[M3.4] a sole holder is in nobody’s way, not even its own', () => {
  const ledger = new Ledger()
  ledger.hold('ns/me', [address], claim('ns/me'))
  const slot = ledger.slot(address)
  expect(slot && mayJoin(slot, claim('ns/me', { sharingKey: '' }))).toEqual({ ok: true })
})

test('[M3.4] of two Services, each port is looked up, not compared with all of the other', () => {
  const ports = (protocol: string) =>
    Array.from({ length: 300_000 }, (_, at) => `${protocol}/${at}`)
  const verdict = mayShare(
    address,
    claim('ns/mine', { ports: [...ports('TCP'), 'SCTP/7'] }),
    claim('ns/other', { ports: [...ports('UDP'), 'SCTP/7'] }),
  )
  expect(verdict).toMatchObject({ ok: false, reason: 'sharing-port-taken' })
})
