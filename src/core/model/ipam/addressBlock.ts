// Who has claimed which of 256 addresses on one wire (R12.5)? One object, written under its version
// for many hosts at once, so that the API server itself refuses to give one address twice.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { nameOfAddress } from '../../net/addressName.ts'
import { familyOf, fromBigInt, type Ip, toBigInt } from '../../net/ip.ts'
import { isDnsLabel } from '../names.ts'

export type AddressBlock = {
  readonly kind: 'AddressBlock'
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly wire: string
  readonly first: Ip
  readonly holders: readonly BlockHolder[]
}

export type BlockHolder = {
  readonly address: Ip
  readonly namespace: string
  readonly name: string
  /** Of the IPSet; empty for a Reservation without one. */
  readonly uid: string
  readonly network: string
  /** How long it is kept once the IPSet is gone; empty for not at all. */
  readonly keep: string
  /** Since when the IPSet is gone, RFC 3339; empty while it is there. */
  readonly gone: string
}

const lowBits = 8n

export function blockOf(ip: Ip): Ip {
  return fromBigInt(familyOf(ip), (toBigInt(ip) >> lowBits) << lowBits)
}

/** A wire is `namespace/NAME`, `wire/NAME`, `link/INTERFACE/VLAN` or `tenant/NAME/NETWORK`. */
export function blockName(wire: string, ip: Ip): string {
  const parts = wire.split('/').map((part) => (isDnsLabel(part) ? part : spelt(part)))
  return `${parts.join('.')}.${nameOfAddress(blockOf(ip))}`
}

/**
 * What an object's name cannot hold, as the numbers of its characters. Names have an end, and those
 * of two wires must not be one: a long text becomes its digest.
 */
function spelt(text: string): string {
  if (text.length > 20) return `h${bytesToHex(sha256(utf8ToBytes(text))).slice(0, 40)}`
  return `x${[...text].map((letter) => letter.codePointAt(0)?.toString(16)).join('-')}`
}

export const keyOfBlockHolder = ({ namespace, name }: BlockHolder): string => `${namespace}/${name}`
