// Who is somebody to the API, and how far may it go?

export type Person = {
  readonly user: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
  readonly reach: Reach
  /** It has shown its own certificate: neither a token, nor somebody who acts as it. */
  readonly hasCertificate?: true
}

/** There are no roles here: everything within these bounds, or nothing but what all may ask. */
export type Reach =
  | 'nothing'
  | { readonly namespace: string | undefined; readonly isReadOnly: boolean }

export const masters = 'system:masters'
const everything: Reach = { namespace: undefined, isReadOnly: false }

/** Of who is known by its groups alone. */
export const reachOf = (groups: readonly string[]): Reach =>
  groups.includes(masters) ? everything : 'nothing'

const authenticated = 'system:authenticated'

/** With the group that everybody is in who is let in. */
export const withAll = (groups: readonly string[]): readonly string[] => [
  ...groups.filter((group) => group !== authenticated),
  authenticated,
]
