// What does tshark find malformed in a recording?
import { spawnSync } from 'node:child_process'

/** tshark does not know that messages may be longer than 4096 bytes (RFC 8654). */
const harmless = /^Length is invalid \d{4,5}$|^"Time To Live" only 1$/

/** A line for each packet that the filter shows, of the fields if there are any. */
export function shown(capture: string, filter: string, ...fields: readonly string[]): string {
  const asked =
    fields.length === 0 ? [] : ['-T', 'fields', ...fields.flatMap((name) => ['-e', name])]
  return spawnSync('tshark', ['-r', capture, '-Y', filter, ...asked], { encoding: 'utf8' }).stdout
}

/** Of all packets, or of those that the filter shows. */
export function wireFaults(capture: string, filter = 'frame'): readonly string[] {
  const faults = `(${filter}) && (_ws.malformed || _ws.expert.severity == "Error")`
  return shown(capture, faults, '_ws.expert.message')
    .split(/[,\n]/)
    .filter((text) => text !== '' && !harmless.test(text))
}
