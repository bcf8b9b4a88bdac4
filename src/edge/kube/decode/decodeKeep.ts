// How long does berth.dev/keep ask to keep addresses? `always`, or a duration, in whole seconds.
import type { FieldError } from '../../../core/model/admission.ts'
import { unreadable } from '../../../core/model/fieldError.ts'
import type { Labels } from '../../../core/model/selector.ts'
import { berth } from '../annotations.ts'
import { decodeDuration } from './decodeDuration.ts'

/** Empty for not at all; what cannot be read is an error, and keeps nothing. */
export function keepOf(annotations: Labels, unread: FieldError[]): string {
  const text = annotations[berth.keep] ?? ''
  if (text === '' || text === 'always') return text
  const duration = decodeDuration(text)
  if (duration.ok && duration.value > 0) return `${Math.ceil(duration.value / 1000)}s`
  const why = duration.ok ? `${JSON.stringify(text)} is not a time ahead` : duration.why
  unread.push(unreadable(`metadata.annotations[${berth.keep}]`, `${why}, or always`))
  return ''
}
