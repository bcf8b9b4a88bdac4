// Which names and labels does Kubernetes allow? RFC 1123 labels, and label keys and values.

const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/
const qualified = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/

/** At most 63 lower-case letters, digits and hyphens, no hyphen at either end. */
export const isDnsLabel = (text: string): boolean => text.length <= 63 && label.test(text)

/** Labels joined by dots; only the whole is limited in length, as in Kubernetes. */
export const isDnsSubdomain = (text: string): boolean =>
  text.length <= 253 && text.split('.').every((part) => label.test(part))

/** A name, or a subdomain, a slash and a name. */
export function isLabelKey(text: string): boolean {
  const parts = text.split('/')
  const name = parts.at(-1) ?? ''
  if (parts.length > 2 || (parts.length === 2 && !isDnsSubdomain(parts[0] ?? ''))) return false
  return name.length <= 63 && qualified.test(name)
}

export const isLabelValue = (text: string): boolean =>
  text === '' || (text.length <= 63 && qualified.test(text))
