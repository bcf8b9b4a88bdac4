// What is thrown when something impossible has happened? The loop that meets it parks the key.

export class Bug extends Error {
  override readonly name = 'Bug'
}
