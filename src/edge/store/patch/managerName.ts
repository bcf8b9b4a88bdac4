// What is a writer called? As it says, or as its program is.

/** In bytes. */
export const longestName = 128
/** To Go, whose one space is ASCII's. */
export const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u

/** As the request names itself, or the first word of its User-Agent. */
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
