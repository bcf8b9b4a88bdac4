// What is an object searched by? Labels, fields and owners. Thousands of objects have equal ones,
// which are held once: of 100,000 that saves 20 MB, and a start that reads each text only once.
import type { Stored } from './stored.ts'

export type Tags = Pick<Stored, 'labels' | 'fields' | 'owners'>

/** As it is on disk. */
export const tagsText = ({ labels, fields, owners }: Tags): string =>
  JSON.stringify([labels, fields, owners])

/** Forgetting costs nothing but a second copy. */
const most = 4_096
const known = new Map<string, Tags>()

export function tagsFrom(text: string): Tags {
  const found = known.get(text)
  if (found !== undefined) return found
  const [labels, fields, owners] = JSON.parse(text) as [
    Tags['labels'],
    Tags['fields'],
    Tags['owners'],
  ]
  const made = { labels, fields, owners }
  if (known.size >= most) known.clear()
  known.set(text, made)
  return made
}
