// What does a parser return? The value, or why the text is refused.

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string }

export const parsed = <T>(value: T): Parsed<T> => ({ ok: true, value })
export const refused = (why: string): Parsed<never> => ({ ok: false, why })
