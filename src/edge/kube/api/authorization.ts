// What goes into the Authorization header?

export function bearer(token: string): string | undefined {
  const text = token.trim()
  return text === '' ? undefined : `Bearer ${text}`
}

export type NameAndPassword = { readonly username: string; readonly password: string }

export const basicHeader = ({ username, password }: NameAndPassword): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
