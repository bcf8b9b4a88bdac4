// What is the name of a field manager? The one in the request, or that of its program.

/** In bytes. */
export const longestName = 128
/** What Go does not print; of spaces it prints only that of ASCII. */
export const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u

/** From the request, or the first word of the User-Agent. */
export function managerName(fieldManager: string, userAgent: string): string {
  if (fieldManager !== '') return fieldManager
  const [product = ''] = userAgent.split('/', 1)
  let name = ''
  for (const char of product) {
    if (unprintable.test(char)) continue
    if (Buffer.byteLength(name + char) > longestName) break
    name += char
  }
  return name
}
