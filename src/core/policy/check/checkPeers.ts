// May this peer be? Field by field, then beside its Secret, its BFD profile and the other peers.
import type { BgpMode, FieldError } from '../../model/admission.ts'
import type { Peer } from '../../model/announcing.ts'
import { forbidden, invalid, required } from '../../model/fieldError.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { checkPeerEcho } from './checkAnnounced.ts'
import { checkSelectors } from './checkLists.ts'
import { shareNode } from './checkNodes.ts'
import { checkTimers } from './checkTimers.ts'

export function checkPeer(peer: Peer, before: Peer | undefined): readonly FieldError[] {
  return [
    ...checkKept(peer, before),
    ...checkNumbers(peer),
    ...checkWhere(peer),
    ...checkTimers(peer),
    ...checkSelectors('spec.nodeSelectors', peer.nodeSelectors),
    ...checkPassword(peer),
  ]
}

export function checkPeerFits(
  world: ReadonlyWorld,
  peer: Peer,
  bgpMode: BgpMode,
): readonly FieldError[] {
  return [
    ...checkSecret(world, peer),
    ...checkPeerEcho(world, peer),
    ...(bgpMode === 'frr' ? checkBesidePeers(world, peer) : []),
  ]
}

/** As MetalLB's CRD has it: once it is there it stays as it is, though it may be left out. */
function checkKept(peer: Peer, before: Peer | undefined): readonly FieldError[] {
  const [is, was] = [peer.enableGracefulRestart, before?.enableGracefulRestart]
  if (is === undefined || was === undefined || is === was) return []
  const why = 'it cannot be changed on an existing peer: delete the peer and create it again'
  return [invalid('spec.enableGracefulRestart', is, why)]
}

/** M8.1 rules 3, 4 and 5. */
function checkNumbers({ myASN, peerASN, dynamicASN, ebgpMultiHop }: Peer): readonly FieldError[] {
  const errors: FieldError[] = []
  if (myASN === 0) errors.push(required('spec.myASN', 'the own AS number is not 0'))
  if (peerASN === 0 && dynamicASN === '') {
    errors.push(required('spec.peerASN', 'give peerASN or dynamicASN'))
  }
  if (peerASN !== 0 && dynamicASN !== '') {
    errors.push(invalid('spec.dynamicASN', dynamicASN, 'give peerASN or dynamicASN, not both'))
  }
  if (!['', 'internal', 'external'].includes(dynamicASN)) {
    errors.push(invalid('spec.dynamicASN', dynamicASN, 'write internal or external'))
  }
  if (ebgpMultiHop && peerASN === myASN) {
    const why = 'there are no hops to count inside one AS: remove it, or correct peerASN'
    errors.push(invalid('spec.ebgpMultiHop', true, why))
  }
  return errors
}

/** M8.1 rule 6. A line break would end the line of a configuration that names come to stand in. */
function checkWhere(peer: Peer): readonly FieldError[] {
  const { peerAddress, interface: name, vrf } = peer
  const errors: FieldError[] = []
  if (peerAddress === '' && name === '') {
    errors.push(required('spec.peerAddress', 'give peerAddress or interface'))
  }
  if (peerAddress !== '' && name !== '') {
    errors.push(invalid('spec.interface', name, 'give peerAddress or interface, not both'))
  }
  for (const [path, text] of Object.entries({ 'spec.interface': name, 'spec.vrf': vrf })) {
    if (/[\n\r]/.test(text)) errors.push(invalid(path, text, 'it holds a line break'))
  }
  return errors
}

const secretPath = 'spec.passwordSecret.name'

/** M8.1 rule 10. */
function checkPassword({ hasPassword, passwordSecret }: Peer): readonly FieldError[] {
  if (!hasPassword || passwordSecret === '') return []
  return [invalid(secretPath, passwordSecret, 'give password or passwordSecret, not both')]
}

/** M8.1 rule 11; a Secret that is missing is only reported, since it may still come. */
function checkSecret(world: ReadonlyWorld, { passwordSecret }: Peer): readonly FieldError[] {
  if (passwordSecret === '') return []
  const path = secretPath
  const secret = world.all('Secret').get(`${world.ownNamespace}/${passwordSecret}`)
  if (secret === undefined || secret.namespace !== world.ownNamespace) return []
  if (secret.type !== 'kubernetes.io/basic-auth') {
    const why = `${objectOf(secret)} has type ${secret.type} and not kubernetes.io/basic-auth`
    return [invalid(path, passwordSecret, why)]
  }
  if (secret.keys.includes('password')) return []
  return [invalid(path, passwordSecret, `${objectOf(secret)} has no key password`)]
}

/** M8.1 rule 28: one FRR process has one router ID, and one AS number and one neighbour a VRF. */
function checkBesidePeers(world: ReadonlyWorld, peer: Peer): readonly FieldError[] {
  const others = [...world.all('BGPPeer').values()].filter(({ name }) => name !== peer.name)
  const onOneNode = (other: Peer) => world.all('Node').size === 0 || shareNode(world, peer, other)
  return others.filter(onOneNode).flatMap((other) => {
    const them = `${objectOf(peer)} and ${objectOf(other)} meet on a node`
    const errors: FieldError[] = []
    if (peer.routerID !== other.routerID) {
      errors.push(forbidden('spec.routerID', `${them}: FRR has one router ID there`))
    }
    if (peer.vrf !== other.vrf) return errors
    if (peer.peerAddress === other.peerAddress && peer.interface === other.interface) {
      const field = peer.peerAddress === '' ? 'interface' : 'peerAddress'
      errors.push(forbidden(`spec.${field}`, `${them}: FRR has a neighbour once in a VRF`))
    }
    if (peer.myASN !== other.myASN) {
      errors.push(forbidden('spec.myASN', `${them}: FRR has one own AS number in a VRF`))
    }
    return errors
  })
}
