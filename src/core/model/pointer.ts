// Where is more to be read? What the API shows of a refusal ends with the command that explains it.
const lead = '; see berth explain '

type Explained = 'service' | 'ipset' | 'tenant'

export const pointing = (message: string, what: Explained, name: string): string =>
  `${message}${lead}${what} ${name}`

/** As the command line tells it, which has said already how to ask. */
export function withoutPointer(message: string): string {
  const at = message.lastIndexOf(lead)
  return at === -1 ? message : message.slice(0, at)
}
