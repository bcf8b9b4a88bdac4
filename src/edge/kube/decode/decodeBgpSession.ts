// What does a node say of one of its BGP sessions?
import type { BgpSession } from '../../../core/model/bgpSession.ts'
import type { Family } from '../../../core/net/ip.ts'
import { metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function decodeBgpSession(object: Fields): BgpSession {
  const status = object.inner('status')
  const [agreed, lastError] = [status.inner('agreed'), status.inner('lastError')]
  return {
    kind: 'BGPSession',
    name: metaOf(object).name,
    bgpStatus: status.text('bgpStatus'),
    bfdStatus: status.text('bfdStatus'),
    node: status.text('node'),
    peer: status.text('peer'),
    vrf: status.text('vrf'),
    since: status.text('since'),
    localAddress: status.text('localAddress'),
    peerAddress: status.text('peerAddress'),
    peerPort: status.number('peerPort') ?? 0,
    localASN: status.number('localASN') ?? 0,
    peerASN: status.number('peerASN') ?? 0,
    ...(status.has('agreed') && {
      agreed: {
        holdTime: agreed.text('holdTime'),
        keepaliveTime: agreed.text('keepaliveTime'),
        peerRouterID: agreed.text('peerRouterID'),
        families: agreed.texts('families').filter(isFamily),
        capabilities: agreed.texts('capabilities'),
      },
    }),
    routesSent: status.number('routesSent') ?? 0,
    updatesReceived: status.number('updatesReceived') ?? 0,
    ...(status.has('lastError') && {
      lastError: { message: lastError.text('message'), endedBy: lastError.text('endedBy') },
    }),
  }
}

const isFamily = (text: string): text is Family => text === 'IPv4' || text === 'IPv6'
