// How much of a message, or of a path in it, is sent? As far as a person reads.

/** An answer must not be larger than the object. */
export const longestMessage = 2_000
