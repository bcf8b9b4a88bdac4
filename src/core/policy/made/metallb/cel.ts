// How is a value written in CEL? Text with double quotes, lists and maps as in JSON.

export const celText = (text: string): string => JSON.stringify(text)

export const celList = (texts: readonly string[]): string => `[${texts.map(celText).join(', ')}]`

/** The values are CEL already. */
export const celMap = (entries: Iterable<readonly [string, string]>): string =>
  `{${[...entries].map(([key, value]) => `${celText(key)}: ${value}`).join(', ')}}`
