// Which files of the corpus wait for a later capability, and for which?
export const notYet: Readonly<Record<string, string>> = {}
