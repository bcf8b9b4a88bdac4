// Which controller leads?
export type Leader = {
  readonly holder: string
  /** Since the last renewal, by the clock of the reader. */
  readonly ageSeconds: number
  readonly isExpired: boolean
}
