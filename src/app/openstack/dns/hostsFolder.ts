// How do hosts reach dnsmasq? As small files in a folder that it watches (R13.4). All lines of one
// address are in one file, whichever ConfigMap they come from: dnsmasq passes over a name that
// another file has given the address already, and forgets it with that file.
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { HostsMap } from '../../../core/model/names/dns.ts'
import { parseIp, toBigInt } from '../../../core/net/ip.ts'

/** A changed line makes dnsmasq read its file, and each file costs it something at its start. */
const mostFiles = 4_096
/** Comparisons that dnsmasq makes within a quarter of a second, on a slow machine. */
const bearable = 1_000_000

/** By file. */
type Parts = ReadonlyMap<string, string>
const nothing: Parts = new Map()

export class HostsFolder {
  readonly #path: string
  readonly #hidden: string
  /** By ConfigMap. */
  readonly #maps = new Map<string, Parts>()
  /** By file: the ConfigMaps that have lines in it. */
  readonly #sources = new Map<string, Set<string>>()
  /** As they are on the disk. */
  readonly #files = new Map<string, string>()
  readonly #changed = new Set<string>()
  #lines = 0

  constructor(path: string) {
    this.#path = path
    this.#hidden = join(path, '.unseen')
    mkdirSync(this.#hidden, { recursive: true, mode: 0o755 })
    for (const file of readdirSync(path)) {
      if (!file.startsWith('.')) this.#files.set(file, readFileSync(join(path, file), 'utf8'))
    }
  }

  put({ name, text = '' }: Pick<HostsMap, 'name' | 'text'>): void {
    const [before, after] = [this.#maps.get(name) ?? nothing, divided(text)]
    for (const file of new Set([...before.keys(), ...after.keys()])) {
      const [was = '', is = ''] = [before.get(file), after.get(file)]
      if (was === is) continue
      this.#lines += linesIn(is) - linesIn(was)
      this.#changed.add(file)
      const sources = this.#sources.get(file) ?? new Set()
      if (is === '') sources.delete(name)
      else sources.add(name)
      this.#sources.set(file, sources)
    }
    this.#maps.set(name, after)
  }

  remove(name: string): void {
    this.put({ name, text: '' })
    this.#maps.delete(name)
  }

  /** All that there are: others go, also those of an earlier run. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of [...this.#maps.keys()]) if (!names.has(name)) this.remove(name)
    for (const file of this.#files.keys()) this.#changed.add(file)
  }

  /** In all files. */
  get lines(): number {
    return this.#lines
  }

  /** Files whose lines are not on the disk yet, with what they will say. */
  get #due(): readonly (readonly [file: string, text: string])[] {
    return [...this.#changed]
      .map((file) => [file, this.#textOf(file)] as const)
      .filter(([file, text]) => (this.#files.get(file) ?? '') !== text)
  }

  /** Whether dnsmasq is long busy: it compares each line that it sees with all that it knows. */
  get isMuch(): boolean {
    const lines = this.#due.reduce((sum, [, text]) => sum + 1 + linesIn(text), 0)
    return lines * this.#lines > bearable
  }

  /** By rename, so that dnsmasq sees each file at once and never half of it. */
  write(): void {
    for (const [file, text] of this.#due) {
      if (text === '') rmSync(join(this.#path, file), { force: true })
      else {
        writeFileSync(join(this.#hidden, file), text, { mode: 0o644 })
        renameSync(join(this.#hidden, file), join(this.#path, file))
      }
      this.#written(file, text)
    }
    this.#changed.clear()
  }

  /**
   * So that dnsmasq sees nothing before it is told to read all: in what is linked into its folder
   * from elsewhere, and written there. Reading all again takes it the time of few changes.
   */
  writeUnseen(): void {
    for (const [file, text] of this.#due) {
      const [here, there] = [join(this.#hidden, file), join(this.#path, file)]
      rmSync(here, { force: true })
      if (this.#files.has(file)) linkSync(there, here)
      writeFileSync(here, text, { mode: 0o644 })
      if (!this.#files.has(file)) linkSync(here, there)
      rmSync(here)
      this.#files.set(file, text)
    }
    this.#changed.clear()
  }

  #written(file: string, text: string): void {
    if (text === '') this.#files.delete(file)
    else this.#files.set(file, text)
    this.#changed.delete(file)
  }

  /** By the names of the ConfigMaps: the first line of an address gives it its own name. */
  #textOf(file: string): string {
    const sources = [...(this.#sources.get(file) ?? [])].sort()
    return sources.map((name) => this.#maps.get(name)?.get(file) ?? '').join('')
  }
}

const linesIn = (text: string): number => text.split('\n').length - 1

function divided(text: string): Parts {
  const parts = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [address = ''] = line.trim().split(/\s/)
    if (address === '') continue
    const file = fileOf(address)
    parts.set(file, `${parts.get(file) ?? ''}${line}\n`)
  }
  return parts
}

/** Neighbours together: dnsmasq reads them faster in order. */
function fileOf(address: string): string {
  const ip = parseIp(address)
  const neighbours = ip.ok ? `${toBigInt(ip.value) >> 4n}` : address
  let sum = 0
  for (let at = 0; at < neighbours.length; at++) sum = (sum * 31 + neighbours.charCodeAt(at)) >>> 0
  return `hosts-${sum % mostFiles}`
}
