// The Internet checksum, RFC 1071: the complement of the one's complement sum of 16-bit words.

export function internetChecksum(bytes: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 2) {
    sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + Math.floor(sum / 0x10000)
  return ~sum & 0xffff
}
