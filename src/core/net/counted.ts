// How is a number of things written? With the noun in the singular for one, else in the plural.

/** `1 warning`, `2 warnings`; a plural that is not formed with an s is given. */
export const counted = (count: number | bigint, noun: string, plural = `${noun}s`): string =>
  `${count} ${Number(count) === 1 ? noun : plural}`
