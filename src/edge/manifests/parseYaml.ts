// What does a YAML text say that is no manifest? Read as kubectl reads it; null where it is empty.
import { parseEvents, YAMLException } from 'js-yaml'
import { type Parsed, parsed, refused } from '../../core/net/parsed.ts'
import { Fault } from '../kube/api/fault.ts'
import { compose } from './compose.ts'
import { maxDepth } from './limits.ts'

/** Its first document. */
export function parseYaml(text: string): Parsed<unknown> {
  try {
    const events = parseEvents(text, { maxDepth })
    return parsed(
      events.length === 0 ? null : compose(text, events, { at: 1, letters: 'booleans' }),
    )
  } catch (error) {
    if (!(error instanceof YAMLException)) return refused(String(error))
    const line = text.slice(0, error.mark?.position ?? 0).split('\n').length
    return refused(`line ${line}: ${error.reason}`)
  }
}

/** The same for whoever cannot go on without it. */
export function yamlOrFault(text: string): unknown {
  const read = parseYaml(text)
  if (read.ok) return read.value
  throw new Fault(read.why)
}
