// What can keep Berth from its work, beyond problems of the configuration? A closed list.

export type Attention = {
  readonly word: 'frozen' | 'waits' | 'silent' | 'invalid' | 'two-owners'
  /** Kind/namespace/name, or Kind/name. */
  readonly object: string
  readonly message: string
}
