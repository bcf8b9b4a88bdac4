// How is a field of an unknown object read? A value of another type reads as absent, never throws.
import type { FieldError } from '../../../core/model/admission.ts'
import { unreadable } from '../../../core/model/fieldError.ts'
import type { Labels } from '../../../core/model/selector.ts'
import type { Parsed } from '../../../core/net/parsed.ts'

type Parser<T> = (text: string) => Parsed<T>

/** One object inside a manifest; all readers of a manifest add errors to one list. */
export class Fields {
  readonly #value: Readonly<Record<string, unknown>>
  readonly #path: string
  readonly #errors: FieldError[]

  constructor(value: unknown, errors: FieldError[], path = '') {
    this.#value = isRecord(value) ? value : {}
    this.#path = path
    this.#errors = errors
  }

  /** As it was sent, for what is written back whole. */
  get json(): Readonly<Record<string, unknown>> {
    return this.#value
  }

  has(name: string): boolean {
    return (this.#value[name] ?? undefined) !== undefined
  }

  /** Empty if absent. */
  text(name: string): string {
    const value = this.#value[name]
    return typeof value === 'string' ? value : ''
  }

  number(name: string): number | undefined {
    const value = this.#value[name]
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }

  /** Also where it is written as text, as nmstate reads it. */
  whole(name: string): number | undefined {
    const text = this.text(name)
    return /^\d{1,9}$/.test(text) ? Number(text) : this.number(name)
  }

  flag(name: string): boolean | undefined {
    const value = this.#value[name]
    return typeof value === 'boolean' ? value : undefined
  }

  /** An object without fields if absent. */
  inner(name: string): Fields {
    return new Fields(this.#value[name], this.#errors, this.#at(name))
  }

  /** The objects of a list; an item that is not an object has no fields. */
  each(name: string): readonly Fields[] {
    return this.#list(name).map(
      (item, index) => new Fields(item, this.#errors, `${this.#at(name)}[${index}]`),
    )
  }

  texts(name: string): readonly string[] {
    return this.#list(name).filter((item) => typeof item === 'string')
  }

  numbers(name: string): readonly number[] {
    return this.#list(name).filter((item) => typeof item === 'number')
  }

  names(): readonly string[] {
    return Object.keys(this.#value)
  }

  labels(name: string): Labels {
    const value = this.#value[name]
    if (!isRecord(value)) return noLabels
    const labels = newLabels()
    for (const key of Object.keys(value)) {
      const label = value[key]
      if (typeof label === 'string') labels[key] = label
    }
    return labels
  }

  /** An invalid value is refused; absent and empty are undefined. */
  parse<T>(name: string, parser: Parser<T>): T | undefined {
    const text = this.text(name)
    return text === '' ? undefined : this.#accept(parser, text, this.#at(name))
  }

  /** Refuses an absent value too. */
  parseRequired<T>(name: string, parser: Parser<T>): T | undefined {
    return this.#accept(parser, this.text(name), this.#at(name))
  }

  parseEach<T>(name: string, parser: Parser<T>): readonly T[] {
    return this.#list(name).flatMap((item, index) => {
      if (typeof item !== 'string') return []
      return this.#accept(parser, item, `${this.#at(name)}[${index}]`) ?? []
    })
  }

  /** For objects that are not ours to validate: an invalid value is undefined. */
  parseIf<T>(name: string, parser: Parser<T>): T | undefined {
    const result = parser(this.text(name))
    return result.ok ? result.value : undefined
  }

  parseEachIf<T>(name: string, parser: Parser<T>): readonly T[] {
    return this.texts(name).flatMap((text) => {
      const result = parser(text)
      return result.ok ? [result.value] : []
    })
  }

  #accept<T>(parser: Parser<T>, text: string, path: string): T | undefined {
    const result = parser(text)
    if (result.ok) return result.value
    this.#errors.push(unreadable(path, result.why))
    return undefined
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`
  }

  #list(name: string): readonly unknown[] {
    const value = this.#value[name]
    return Array.isArray(value) ? value : []
  }
}

/**
 * Without a prototype, so that a label called `constructor` exists only if it is written.
 * Object.create(null) would turn each into a hash table, five times as large.
 */
const newLabels = (): Record<string, string> => Object.setPrototypeOf({}, null)
const noLabels: Labels = Object.freeze(newLabels())

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
