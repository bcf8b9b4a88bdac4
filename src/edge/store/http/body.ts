// What is a body? Bytes whose length is known before they are made.

export type Body = {
  readonly lengthBytes: number
  readonly pieces: () => Iterable<Uint8Array>
}

export const bytesBody = (bytes: Uint8Array): Body => ({
  lengthBytes: bytes.length,
  pieces: () => [bytes],
})

export function wholeOf({ pieces }: Body): Uint8Array {
  const all = [...pieces()]
  const [only] = all
  return all.length === 1 && only !== undefined ? only : Buffer.concat(all)
}
