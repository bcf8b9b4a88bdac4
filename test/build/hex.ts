// Bytes of a packet as they are written in a capture.

export const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
