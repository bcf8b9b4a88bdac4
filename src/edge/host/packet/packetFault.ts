// Why did the kernel refuse a socket, and what can the operator do about it?

export class PacketFault extends Error {
  override readonly name = 'PacketFault'
  /** The errno name, such as `EPERM`; '' if no system call failed. */
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
  EAFNOSUPPORT: 'The kernel does not support this kind of socket.',
  EMFILE: 'Raise the limit on open files.',
}

export function packetFault(call: string, code: string): PacketFault {
  const remedy = remedies[code]
  return new PacketFault(`${call}: ${code}${remedy === undefined ? '' : `. ${remedy}`}`, code)
}
