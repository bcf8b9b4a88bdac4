// Which messages are these? Those of BGP that stand one behind the other, one by one.

export function messagesIn(bytes: Uint8Array): readonly Uint8Array[] {
  const messages: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = ((bytes[at + 16] ?? 0) << 8) | (bytes[at + 17] ?? 0)
    if (length === 0) throw new Error(`no message at ${at}`)
    messages.push(bytes.subarray(at, at + length))
    at += length
  }
  return messages
}
