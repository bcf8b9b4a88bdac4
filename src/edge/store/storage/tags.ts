// What is an object searched by? Labels, fields, owners and its deletion. Many objects have equal
// ones, which are held once: that saves 20 MB for 100,000 objects, and time at the start.
import type { Deletion, Stored } from './stored.ts'

export type Tags = Pick<Stored, 'labels' | 'fields' | 'owners' | 'deletion'>

/** As stored on disk. */
export const tagsText = ({ labels, fields, owners, deletion }: Tags): string =>
  JSON.stringify([
    ...[labels, fields, owners],
    ...(deletion === undefined ? [] : [deletion.going, deletion.blocks]),
  ])

/** Evicting an entry costs no more than a second copy. */
const most = 4_096
/** Nobody shares longer ones, and 4,096 of a megabyte would stay until the program ends. */
const longest = 1_024
const known = new Map<string, Tags>()

export function tagsFrom(text: string): Tags {
  const found = known.get(text)
  if (found !== undefined) return found
  const [labels, fields, owners, going, blocks] = JSON.parse(text) as [
    Tags['labels'],
    Tags['fields'],
    Tags['owners'],
    Deletion['going']?,
    Deletion['blocks']?,
  ]
  const deletion = deletionFrom(going, blocks ?? [])
  const made = { labels, fields, owners, deletion }
  if (text.length > longest) return made
  if (known.size >= most) known.clear()
  known.set(text, made)
  return made
}

/** That of most objects, held once. */
export const notDeleted: Deletion = { going: 'no', blocks: [] }

function deletionFrom(
  going: Deletion['going'] | undefined,
  blocks: Deletion['blocks'],
): Deletion | undefined {
  if (going === undefined) return undefined
  return going === 'no' && blocks.length === 0 ? notDeleted : { going, blocks }
}
