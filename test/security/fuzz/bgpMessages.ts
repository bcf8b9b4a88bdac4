// What do routers send? Messages that FRR and BIRD sent to a node of the lab, and some of ours.
import {
  encodeKeepalive,
  encodeMessage,
  type MessageType,
} from '../../../src/core/wire/bgp/header.ts'
import { noticeText } from '../../../src/core/wire/bgp/notice.ts'
import {
  decodeNotification,
  encodeNotification,
  shutdownNotice,
  shutdownText,
} from '../../../src/core/wire/bgp/notification.ts'
import { decodeOpen } from '../../../src/core/wire/bgp/open.ts'
import { decodeRouteRefresh } from '../../../src/core/wire/bgp/routeRefresh.ts'
import { decodeUpdate, encodeEndOfRib } from '../../../src/core/wire/bgp/update.ts'
import { fromHex } from '../../build/hex.ts'

const frrOpen =
  '04fc0100b40a0a00015402060104000100010206010400020001020280000202020002024600' +
  '020641040000fc0102020600020a450800010101000201010206490402766d0002044002c0780210470e' +
  '0001018000000000020180000000'
const birdOpen = '04fc0100f00a0a00011e021c01040001000101040002000102004002007841040000fc0146004700'
const frrFour = '00000019400101005002000a02020000fc010000fc004003040a0a000c200a320001'
const frrSix =
  '0000004c900e003600020120fd100010000000000000000000000001fe80000000000000000000fffe100001' +
  '0080fd100050000000000000000000000001400101005002000a02020000fc010000fc00'

export const bgpMessages: readonly Uint8Array[] = [
  encodeMessage('OPEN', fromHex(frrOpen)),
  encodeMessage('OPEN', fromHex(birdOpen)),
  encodeMessage('UPDATE', fromHex(frrFour)),
  encodeMessage('UPDATE', fromHex(frrSix)),
  encodeEndOfRib('IPv6'),
  encodeNotification(shutdownNotice('maintenance')),
  encodeMessage('ROUTE-REFRESH', fromHex('00010001')),
  encodeKeepalive(),
]

const contexts = [
  { asSize: 4, isInternal: false },
  { asSize: 2, isInternal: true },
] as const

/** As a session reads it, before and after it has agreed on the size of AS numbers. */
export function readBgp(type: MessageType, body: Uint8Array): boolean {
  switch (type) {
    case 'OPEN':
      return decodeOpen(body).ok
    case 'UPDATE':
      return contexts.map((context) => decodeUpdate(body, context).ok).includes(true)
    case 'NOTIFICATION': {
      const notice = decodeNotification(body)
      return `${noticeText(notice)}${shutdownText(notice)}` !== ''
    }
    case 'ROUTE-REFRESH':
      return decodeRouteRefresh(body).ok
    case 'KEEPALIVE':
      return true
  }
}
