// What does it mean that the kernel refused a socket, and what is to be done about it?

export class PacketFault extends Error {
  override readonly name = 'PacketFault'
  /** As errno names it, such as `EPERM`; '' when it was not a call that failed. */
  readonly code: string

  constructor(text: string, code = '', options?: ErrorOptions) {
    super(text, options)
    this.code = code
  }
}

const remedies: Readonly<Record<string, string>> = {
  EPERM: 'Give the process the capability NET_RAW.',
  EACCES: 'Give the process the capability NET_RAW.',
  ENODEV: 'The interface is gone.',
  ENXIO: 'The interface is gone.',
  ENETDOWN: 'The interface is down.',
  EAFNOSUPPORT: 'The kernel lacks this kind of socket.',
  EMFILE: 'Raise the limit of open files.',
}

export function packetFault(call: string, code: string): PacketFault {
  const remedy = remedies[code]
  return new PacketFault(`${call}: ${code}${remedy === undefined ? '' : `. ${remedy}`}`, code)
}
