// How do hosts reach dnsmasq? As small files in a folder that it watches, replaced by rename: it
// never reads half of one, and needs no restart (R13.4). It compares each line that it reads with
// all that it knows, so a change of one host must not rewrite the thousand beside it.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostsMap } from '../../../core/model/names/dns.ts'
import { fileNameOf } from './fileName.ts'

type Written = {
  readonly files: ReadonlyMap<string, string>
  readonly parts: number
  readonly lines: number
}

/** Lines in a file, about; and when they are divided anew. */
const [usual, most] = [16, 64]
/** Comparisons that dnsmasq makes within a quarter of a second, on a slow machine. */
const bearable = 1_000_000

export class HostsFolder {
  readonly #path: string
  /** By ConfigMap. */
  readonly #written = new Map<string, Written>()
  #lines = 0

  constructor(path: string) {
    this.#path = path
    mkdirSync(path, { recursive: true, mode: 0o755 })
  }

  /** Answers whether dnsmasq would be busy with it for long: it is faster to start it again. */
  put({ name, text = '' }: Pick<HostsMap, 'name' | 'text'>): boolean {
    const before = this.#written.get(name)
    const after = divided(name, text, before)
    let changed = 0
    for (const [file, part] of after.files) {
      if (before?.files.get(file) === part) continue
      this.#write(file, part)
      changed += linesIn(part)
    }
    for (const file of before?.files.keys() ?? []) if (!after.files.has(file)) this.#remove(file)
    this.#written.set(name, after)
    this.#lines += after.lines - (before?.lines ?? 0)
    return changed * this.#lines > bearable
  }

  remove(name: string): void {
    this.put({ name, text: '' })
    this.#written.delete(name)
  }

  /** All that there are: others go, also those of an earlier run. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of [...this.#written.keys()]) if (!names.has(name)) this.remove(name)
    const known = new Set([...this.#written.values()].flatMap(({ files }) => [...files.keys()]))
    for (const file of readdirSync(this.#path)) if (!known.has(file)) this.#remove(file)
  }

  /** dnsmasq passes over names that begin with a dot. */
  #write(name: string, text: string): void {
    const [file, draft] = [join(this.#path, name), join(this.#path, `.${name}`)]
    writeFileSync(draft, text, { mode: 0o644 })
    renameSync(draft, file)
  }

  #remove(file: string): void {
    rmSync(join(this.#path, file), { force: true })
  }
}

const linesIn = (text: string): number => text.split('\n').length - 1

/** By address: all names of one stay together and in order, and the first is its own. */
function divided(name: string, text: string, before: Written | undefined): Written {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isFitting = before !== undefined && lines.length <= most * before.parts
  const parts = isFitting ? before.parts : Math.max(1, Math.ceil(lines.length / usual))
  const files = new Map<string, string>()
  const called = fileNameOf(name)
  for (const line of lines) {
    // No ConfigMap can have a name with a tilde.
    const file = `${partOf(line.trim(), parts)}~${called}`
    files.set(file, `${files.get(file) ?? ''}${line}\n`)
  }
  return { files, parts, lines: lines.length }
}

function partOf(line: string, parts: number): number {
  const [address = ''] = line.split(/\s/)
  let sum = 0
  for (let at = 0; at < address.length; at++) sum = (sum * 31 + address.charCodeAt(at)) >>> 0
  return sum % parts
}
