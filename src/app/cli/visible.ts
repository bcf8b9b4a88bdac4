// What may be shown on a terminal? Text, and no character that steers it: names, messages and
// annotations are written by others, and one of them could rename the window, hide a line, or turn
// its letters around.

/** Escaped as in JSON. Line breaks and tabs too, where a text is one line. */
export const visible = (line: string): string => line.replace(/\p{Cc}|\p{Bidi_Control}/gu, escaped)

/** Of whole pages, whose line breaks are ours. */
export const visibleLines = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, escaped)

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
