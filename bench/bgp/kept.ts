// What was measured, and when? A measure takes up to ten minutes: each is kept until it is repeated, and the
// page is written from all of them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
const folder = join(cache, 'berth', 'bench-bgp')
const fileOf = (name: string): string => join(folder, `${name}.md`)

/** Undefined where it has not been measured. */
export const kept = (name: string): string | undefined =>
  existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8').trim() : undefined

export function keep(name: string, text: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf(name), text)
}
