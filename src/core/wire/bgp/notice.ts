// What is wrong with what a peer sent? A refusal already is the NOTIFICATION to answer with,
// RFC 4271 §4.5 and §6; its codes in the words of the IANA registry.

export type Notice = {
  readonly code: number
  readonly subcode: number
  readonly data: Uint8Array
}
export type Read<T> = { readonly ok: true; readonly value: T } | Refused
type Refused = { readonly ok: false; readonly notice: Notice }

export const notice = (code: number, subcode: number, data: Uint8Array = none()): Notice => ({
  code,
  subcode,
  data,
})

export const refused = (code: number, subcode: number, data: Uint8Array = none()): Refused => ({
  ok: false,
  notice: notice(code, subcode, data),
})

const none = (): Uint8Array => new Uint8Array()

type Words = readonly [name: string, subcodes: readonly string[]]

const words: Readonly<Record<number, Words>> = {
  1: [
    'Message Header Error',
    ['', 'Connection Not Synchronized', 'Bad Message Length', 'Bad Message Type'],
  ],
  2: [
    'OPEN Message Error',
    [
      ...['', 'Unsupported Version Number', 'Bad Peer AS', 'Bad BGP Identifier'],
      ...['Unsupported Optional Parameter', '', 'Unacceptable Hold Time'],
      ...['Unsupported Capability'],
    ],
  ],
  3: [
    'UPDATE Message Error',
    [
      ...['', 'Malformed Attribute List', 'Unrecognized Well-known Attribute'],
      ...['Missing Well-known Attribute', 'Attribute Flags Error', 'Attribute Length Error'],
      ...['Invalid ORIGIN Attribute', '', 'Invalid NEXT_HOP Attribute'],
      ...['Optional Attribute Error', 'Invalid Network Field', 'Malformed AS_PATH'],
    ],
  ],
  4: ['Hold Timer Expired', []],
  5: [
    'Finite State Machine Error',
    ['', 'Unexpected Message in OpenSent', 'Unexpected Message in OpenConfirm'].concat(
      'Unexpected Message in Established',
    ),
  ],
  6: [
    'Cease',
    [
      ...['', 'Maximum Number of Prefixes Reached', 'Administrative Shutdown'],
      ...['Peer De-configured', 'Administrative Reset', 'Connection Rejected'],
      ...['Other Configuration Change', 'Connection Collision Resolution', 'Out of Resources'],
      ...['Hard Reset', 'BFD Down'],
    ],
  ],
  7: ['ROUTE-REFRESH Message Error', ['', 'Invalid Message Length']],
  8: ['Send Hold Timer Expired', []],
}

/** Such as `Cease/Administrative Shutdown (6/2)`. */
export function noticeText({ code, subcode }: Notice): string {
  const [name, subcodes] = words[code] ?? ['unknown error', []]
  const detail = subcodes[subcode] ?? ''
  return `${name}${detail === '' ? '' : `/${detail}`} (${code}/${subcode})`
}
