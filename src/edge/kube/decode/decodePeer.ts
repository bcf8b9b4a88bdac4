// Which session does a BGPPeer describe? v1beta2; v1beta1 has fewer fields of the same names.
import type { Peer } from '../../../core/model/announcing.ts'
import { peerAnnotations, sessionAnnotations } from '../../../core/model/bgpAnnotations.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { annotationsAmong } from '../annotations.ts'
import { decodeDuration } from './decodeDuration.ts'
import { madeOf } from './decodeMaker.ts'
import { metaOf, namedOf, selectorsOf, specVersionOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

/** An absent timer stays absent, in v1beta1 too, where MetalLB reads 0 (M12.2). */
export function decodePeer(object: Fields): Peer {
  const spec = object.inner('spec')
  const annotations = annotationsAmong(
    { ...peerAnnotations, ...sessionAnnotations },
    metaOf(object).annotations,
  )
  const hasPassword = spec.text('password') !== ''
  const passwordVersion = hasPassword ? specVersionOf(object) : undefined
  return {
    kind: 'BGPPeer',
    ...namedOf(object),
    ...madeOf(object),
    myASN: spec.number('myASN') ?? 0,
    peerASN: spec.number('peerASN') ?? 0,
    dynamicASN: spec.text('dynamicASN'),
    localASN: spec.number('localASN') ?? 0,
    peerAddress: spec.parse('peerAddress', parseIp) ?? '',
    interface: spec.text('interface'),
    sourceAddress: spec.parse('sourceAddress', parseIp) ?? '',
    // v1beta1 has no default and allows 0, which is not a port.
    peerPort: spec.number('peerPort') || 179,
    holdMs: spec.parse('holdTime', decodeDuration),
    keepaliveMs: spec.parse('keepaliveTime', decodeDuration),
    connectMs: spec.parse('connectTime', decodeDuration),
    routerID: spec.parse('routerID', parseIp) ?? '',
    nodeSelectors: selectorsOf(spec, 'nodeSelectors'),
    hasPassword,
    ...(passwordVersion !== undefined && { passwordVersion }),
    passwordSecret: spec.inner('passwordSecret').text('name'),
    bfdProfile: spec.text('bfdProfile'),
    enableGracefulRestart: spec.flag('enableGracefulRestart'),
    ebgpMultiHop: spec.flag('ebgpMultiHop') ?? false,
    vrf: spec.text('vrf'),
    disableMP: spec.flag('disableMP') ?? false,
    dualStackAddressFamily: spec.flag('dualStackAddressFamily') ?? false,
    ...(annotations && { annotations }),
  }
}
