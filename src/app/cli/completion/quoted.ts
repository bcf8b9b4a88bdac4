// How is help put into a shell script? Without what ends a text there.

/** Inside single quotes, and inside zsh's brackets. */
export const quoted = (text: string): string => text.replace(/['[\]:]/g, ' ')
