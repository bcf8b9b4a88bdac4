// How much may one document ask of us? Beyond these it is refused, whatever it holds.

export const maxDocumentBytes = 10_000_000
export const maxDepth = 100
export const maxAliases = 100
