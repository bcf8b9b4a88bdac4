import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex, toHex } from '../../../../test/build/hex.ts'
import { decodeHeader, encodeKeepalive, encodeMessage, headerBytes, mostBytes } from './header.ts'
import { notice, noticeText } from './notice.ts'
import {
  decodeNotification,
  encodeNotification,
  shutdownNotice,
  shutdownText,
} from './notification.ts'
import { decodeRouteRefresh, encodeRouteRefresh } from './routeRefresh.ts'

const marker = 'ff'.repeat(16)

test.each([
  ['a KEEPALIVE', `${marker}001304`, 'KEEPALIVE 19'],
  ['a marker with a zero in it', `00${marker.slice(2)}001304`, '1/1'],
  ['eighteen bytes', `${marker}001204`, '1/2'],
  ['more than 4096 bytes', `${marker}100104`, '1/2'],
  ['a type that is not known', `${marker}001307`, '1/3'],
  ['type 0', `${marker}001300`, '1/3'],
  ['a KEEPALIVE with a body', `${marker}001404`, '1/2'],
  ['an OPEN that is too short', `${marker}001c01`, '1/2'],
  ['an UPDATE that is too short', `${marker}001602`, '1/2'],
  ['a NOTIFICATION that is too short', `${marker}001403`, '1/2'],
])('header: %s', (_, hex, answer) => {
  const header = decodeHeader(fromHex(hex), mostBytes.usual)
  const text = header.ok
    ? `${header.value.type} ${header.value.lengthBytes}`
    : `${header.notice.code}/${header.notice.subcode}`
  expect(text).toBe(answer)
})

test('every truncation of a header is refused', () => {
  const whole = encodeKeepalive()
  for (let length = 0; length < whole.length; length++) {
    expect(decodeHeader(whole.slice(0, length), mostBytes.usual).ok).toBe(false)
  }
})

test('an agreed UPDATE may be longer, an OPEN never', () => {
  const long = new Uint8Array(5000)
  expect(decodeHeader(encodeMessage('UPDATE', long), mostBytes.extended).ok).toBe(true)
  expect(decodeHeader(encodeMessage('OPEN', long), mostBytes.extended).ok).toBe(false)
})

test.each([
  ['planned work: Größe, 部署', 'planned work: Größe, 部署'],
  ['', ''],
  ['x'.repeat(300), 'x'.repeat(255)],
  ['é'.repeat(128), 'é'.repeat(127)],
])('the text of a shutdown (RFC 9003): %s', (text, shown) => {
  const body = encodeNotification(shutdownNotice(text)).subarray(headerBytes)
  expect(shutdownText(decodeNotification(body))).toBe(shown)
})

test.each([
  ['a length past the end', '0602 09 6869', ''],
  ['no text', '0602', ''],
  ['another subcode', '0603 02 6869', ''],
  ['what is not UTF-8', '0602 03 68ff69', 'h\u{fffd}i'],
  ['what a terminal would act on', '0602 03 1b5b4a', '\u{fffd}[J'],
  ['an encoding that is too long', '0602 02 c080', '\u{fffd}\u{fffd}'],
])('%s is shown as %s', (_, hex, shown) => {
  expect(shutdownText(decodeNotification(fromHex(hex.replaceAll(' ', ''))))).toBe(shown)
})

test.each([
  [notice(6, 2), 'Cease/Administrative Shutdown (6/2)'],
  [notice(4, 0), 'Hold Timer Expired (4/0)'],
  [notice(99, 1), 'unknown error (99/1)'],
])('in words: %o', (given, text) => {
  expect(noticeText(given)).toBe(text)
})

test.each([
  ['0001 00 01', { family: 'IPv4', subtype: 'request' }],
  ['0002 01 01', { family: 'IPv6', subtype: 'begin' }],
  ['0002 02 01', { family: 'IPv6', subtype: 'end' }],
  ['0001 09 01', { family: 'IPv4', subtype: undefined }],
  ['0001 00 80', { family: undefined, subtype: 'request' }],
])('ROUTE-REFRESH %s', (hex, value) => {
  const body = fromHex(hex.replaceAll(' ', ''))
  expect(decodeRouteRefresh(body)).toEqual({ ok: true, value })
  const { family, subtype } = value
  if (family === 'IPv6' && (subtype === 'begin' || subtype === 'end')) {
    expect(toHex(encodeRouteRefresh(family, subtype).subarray(headerBytes))).toBe(toHex(body))
  }
})

test.each(['000100', '0001', '', '00010101ff'])('ROUTE-REFRESH %s is refused', (hex) => {
  const read = decodeRouteRefresh(fromHex(hex))
  expect(read.ok ? 'ok' : [read.notice.code, read.notice.subcode]).toEqual([7, 1])
})

test('no bytes throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      decodeHeader(bytes, mostBytes.usual)
      shutdownText(decodeNotification(Uint8Array.of(6, 2, ...bytes)))
      decodeNotification(bytes)
      decodeRouteRefresh(bytes)
    }),
  )
})
