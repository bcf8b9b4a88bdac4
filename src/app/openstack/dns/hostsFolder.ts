// How do hosts reach dnsmasq? As one file for each ConfigMap in a folder that it watches, replaced
// by rename: it never reads half of one, and needs no restart (R13.4).
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostsMap } from '../../../core/model/names/dns.ts'

export class HostsFolder {
  readonly #path: string
  /** What stands in each file. */
  readonly #written = new Map<string, string>()

  constructor(path: string) {
    this.#path = path
    mkdirSync(path, { recursive: true, mode: 0o755 })
  }

  put({ name, text }: Pick<HostsMap, 'name' | 'text'>): void {
    if (text === undefined) this.remove(name)
    else if (this.#written.get(name) !== text) this.#write(name, text)
  }

  remove(name: string): void {
    this.#written.delete(name)
    rmSync(join(this.#path, name), { force: true })
  }

  /** All that there are: others go, also those of an earlier run. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#path)) if (!names.has(name)) this.remove(name)
  }

  /** dnsmasq passes over names that begin with a dot. */
  #write(name: string, text: string): void {
    const [file, draft] = [join(this.#path, name), join(this.#path, `.${name}`)]
    writeFileSync(draft, text, { mode: 0o644 })
    renameSync(draft, file)
    this.#written.set(name, text)
  }
}
