// What is thrown when something impossible has happened? The loop that meets it parks the key.

export class Bug extends Error {
  override readonly name = 'Bug'
}

export function assert(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Bug(sentence)
}
