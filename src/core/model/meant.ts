// What was meant by a name that is not there? The closest ones that are, as a question.
import { namesNear } from './namesNear.ts'

/** Told after a sentence; nothing where nothing is close. */
export const meant = (typed: string, there: Iterable<string>): string =>
  typed.length < 2 ? '' : didYouMean(namesNear(typed, there))

/** `; did you mean lan or wan?` */
export function didYouMean(names: readonly string[]): string {
  const last = names.at(-1)
  if (last === undefined) return ''
  const first = names.slice(0, -1)
  return `; did you mean ${first.length === 0 ? last : `${first.join(', ')} or ${last}`}?`
}
