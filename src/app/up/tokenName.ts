// Which user may a token name? Nobody that is trusted for its name.

/** Where nobody said whom it is for. */
export const madeName = (id: string): string => `berth-token:${id}`

/** It stands in messages, headers and the managers of fields. */
export function whyNoName(user: string): string | undefined {
  return [
    // Whoever bears such a name is trusted for it.
    { is: /^(system:|berth-)/i.test(user), says: 'begins with system: or berth-, which are taken' },
    { is: user.length > 128, says: 'is longer than 128 characters' },
    { is: !/^[a-z0-9]/i.test(user), says: 'does not begin with a letter or a digit' },
    { is: /[^\w.@:+-]/.test(user), says: 'may have only letters, digits and . _ - + : @' },
  ].find(({ is }) => is)?.says
}
