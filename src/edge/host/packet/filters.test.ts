import { expect, test } from 'vitest'
import { arpFilter, echoFilter, membershipFilter, ndpFilter } from './filters.ts'

type Frame = { readonly bytes: Uint8Array; readonly type?: number; readonly tags?: number }

/** Runs a program as the kernel would; test/lab runs them in a real kernel. */
function taken(program: Uint8Array, { bytes, type = 0, tags = 0 }: Frame): number {
  const view = new DataView(program.buffer)
  const frame = new DataView(bytes.buffer)
  const aside = new Map([
    [0xfffff004, type],
    [0xfffff030, tags],
  ])
  let value = 0
  for (let at = 0; ; at += 8) {
    const [code, k] = [view.getUint16(at, true), view.getUint32(at + 4, true)]
    // Reading past the end drops the frame.
    if ((code === 0x28 && k + 2 > bytes.length) || (code === 0x30 && k + 1 > bytes.length)) return 0
    if (code === 0x20) value = aside.get(k) ?? Number.NaN
    else if (code === 0x28) value = frame.getUint16(k)
    else if (code === 0x30) value = frame.getUint8(k)
    else if (code === 0x15) at += 8 * view.getUint8(at + (value === k ? 2 : 3))
    else return k
  }
}

const frame = (octets: Readonly<Record<number, number>>, length = 90): Uint8Array => {
  const bytes = new Uint8Array(length)
  for (const [at, octet] of Object.entries(octets)) bytes[Number(at)] = octet
  return bytes
}
const arp = (operation: number): Uint8Array => frame({ 12: 8, 13: 6, 21: operation })
const icmp = (type: number, next = 58): Uint8Array =>
  frame({ 12: 0x86, 13: 0xdd, 20: next, 54: type })
const echo = (port: number, protocol = 17): Uint8Array =>
  frame({ 12: 8, 13: 0, 14: 0x45, 23: protocol, 36: port >> 8, 37: port & 0xff })
const beat = frame({ 12: 0x88, 13: 0xb5 })

type Case = { what: string; filter: { program: Uint8Array }; frame: Frame; isTaken: boolean }
const cases: Case[] = [
  { what: 'an echo', filter: echoFilter, frame: { bytes: echo(3785) }, isTaken: true },
  {
    what: 'an echo of ours',
    filter: echoFilter,
    frame: { bytes: echo(3785), type: 4 },
    isTaken: false,
  },
  { what: 'UDP elsewhere', filter: echoFilter, frame: { bytes: echo(3784) }, isTaken: false },
  { what: 'TCP', filter: echoFilter, frame: { bytes: echo(3785, 6) }, isTaken: false },
  { what: 'a request', filter: arpFilter, frame: { bytes: arp(1), type: 1 }, isTaken: true },
  { what: 'a reply', filter: arpFilter, frame: { bytes: arp(2) }, isTaken: true },
  { what: 'RARP', filter: arpFilter, frame: { bytes: arp(3) }, isTaken: false },
  { what: 'not ARP', filter: arpFilter, frame: { bytes: icmp(135) }, isTaken: false },
  { what: 'to another host', filter: arpFilter, frame: { bytes: arp(1), type: 3 }, isTaken: false },
  {
    what: 'sent by this host',
    filter: arpFilter,
    frame: { bytes: arp(1), type: 4 },
    isTaken: false,
  },
  {
    what: 'tagged for a VLAN',
    filter: arpFilter,
    frame: { bytes: arp(1), tags: 1 },
    isTaken: false,
  },
  {
    what: 'truncated',
    filter: arpFilter,
    frame: { bytes: frame({ 12: 8, 13: 6 }, 20) },
    isTaken: false,
  },
  {
    what: 'a solicitation',
    filter: ndpFilter,
    frame: { bytes: icmp(135), type: 2 },
    isTaken: true,
  },
  { what: 'an advertisement', filter: ndpFilter, frame: { bytes: icmp(136) }, isTaken: true },
  { what: 'an echo', filter: ndpFilter, frame: { bytes: icmp(128) }, isTaken: false },
  { what: 'UDP', filter: ndpFilter, frame: { bytes: icmp(135, 17) }, isTaken: false },
  { what: 'a beat', filter: membershipFilter, frame: { bytes: beat, type: 1 }, isTaken: true },
  {
    what: 'a VLAN’s beat',
    filter: membershipFilter,
    frame: { bytes: beat, tags: 1 },
    isTaken: false,
  },
  { what: 'ARP', filter: membershipFilter, frame: { bytes: arp(1) }, isTaken: false },
]

test.each(cases)('$what: accepted $isTaken', ({ filter, frame, isTaken }) => {
  expect(taken(filter.program, frame) > 0).toBe(isTaken)
})
