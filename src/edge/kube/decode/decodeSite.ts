// Where is the cluster plugged in? A Site (R6).
import type { External, Site, VipPair } from '../../../core/model/site.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { parsePrefix } from '../../../core/net/range.ts'
import { berth } from '../annotations.ts'
import { metaOf, specifiedAt } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function decodeSite(object: Fields): Site {
  const { name, uid, annotations } = metaOf(object)
  const spec = object.inner('spec')
  const external = spec.has('external') ? externalIn(spec.inner('external')) : undefined
  const [api, ingress] = [spec.inner('api'), spec.inner('ingress')]
  const ports = ingress.numbers('ports')
  return {
    kind: 'Site',
    name,
    uid,
    createdAt: specifiedAt(object),
    internalNetwork: spec.parse('internalNetwork', parsePrefix),
    external,
    api: {
      namespace: api.text('namespace') || 'openshift-kube-apiserver',
      selector: api.has('selector') ? api.labels('selector') : { app: 'openshift-kube-apiserver' },
      ports: [api.number('port') ?? 6443],
    },
    ingress: {
      namespace: ingress.text('namespace') || 'openshift-ingress',
      selector: ingress.has('selector') ? ingress.labels('selector') : defaultIngress,
      ports: ports.length > 0 ? ports : [80, 443],
    },
    move: spec.has('move') ? moveIn(spec.inner('move')) : undefined,
    rolledBack: object.inner('status').inner('move').text('rolledBack'),
    occupied: [external, external?.secondary].flatMap((pair) => pair?.gateway ?? []),
    ...(object.inner('metadata').has('deletionTimestamp') && { isGoing: true }),
    ...(annotations[berth.allowDelete] === 'true' && { mayBeDeleted: true }),
  }
}

const defaultIngress = {
  'ingresscontroller.operator.openshift.io/deployment-ingresscontroller': 'default',
}

const moveIn = (move: Fields): Site['move'] => ({
  commitBy: move.text('commitBy'),
  before: move.has('before') ? externalIn(move.inner('before')) : undefined,
})

function externalIn(external: Fields): External {
  const second = external.inner('secondary')
  return {
    ...pairIn(external),
    secondary: external.has('secondary') ? pairIn(second) : undefined,
    interface: external.text('interface'),
    baseDomain: external.text('baseDomain'),
    routes: external.each('routes').flatMap((route) => {
      const destination = route.parseRequired('destination', parsePrefix)
      const nextHop = route.parse('nextHop', parseIp)
      return destination === undefined ? [] : [{ destination, nextHop }]
    }),
    announce: external.text('announce') || 'Layer2',
    bgpPeers: external.texts('bgpPeers'),
  }
}

const pairIn = (pair: Fields): VipPair => ({
  apiVIP: pair.parse('apiVIP', parseIp),
  ingressVIP: pair.parse('ingressVIP', parseIp),
  prefixLength: pair.number('prefixLength'),
  gateway: pair.parse('gateway', parseIp),
})
