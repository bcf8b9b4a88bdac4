// Who takes part? A sender and a receiver; each sender is told when to announce and when to withdraw, and
// the receiver is asked how many routes it has.

export type Contest = {
  readonly folder: string
  readonly count: number
  readonly attributes: 'equal' | 'different'
}
export type Receiver = {
  readonly routes: () => Promise<number>
  readonly cpuMs: () => number
  /** Over when the program has ended: the next one takes its place. */
  readonly stop: () => Promise<void>
}
export type Sender = {
  readonly announce: () => unknown
  readonly withdraw: () => unknown
  readonly cpuMs: () => number
  readonly stop: () => Promise<void>
}

/** The prefix of a number, and a community of its own. */
export const prefixOf = (at: number): string => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}/32`
export const communityOf = (at: number): string => `${64_512 + (at >> 16)}:${at & 0xffff}`
