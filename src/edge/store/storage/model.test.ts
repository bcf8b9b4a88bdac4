// Is the store what a plain one would be? Random batches, pages at old revisions, watches and
// restarts, beside a model that keeps a copy of everything for every revision.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { stored, textOf } from '../../../../test/build/storedObjects.ts'
import { Objects, type Transaction } from './objects.ts'
import { isBefore, spotOf } from './shelf.ts'
import type { Stored } from './stored.ts'

const history = { changes: 12, bytes: 1e9 }

type Edit = { key: string; resource: string; removes: boolean; size: number }
type Decision = { edits: Edit[]; throws: boolean }
type Step =
  | { type: 'write'; decisions: Decision[] }
  | { type: 'list'; back: number; namespace: string | undefined; limit: number; odd: boolean }
  | { type: 'page'; which: number }
  | { type: 'watch'; back: number }
  | { type: 'stop'; which: number }
  | { type: 'restart' }

const edit = fc.record<Edit>({
  key: fc
    .tuple(fc.constantFrom('a', 'a-b', 'a0'), fc.constantFrom('v', 'w', 'x', 'y', 'z'))
    .map(([namespace, name]) => `${namespace}/${name}`),
  resource: fc.constantFrom('services', 'services', 'nodes'),
  removes: fc.boolean(),
  size: fc.constantFrom(0, 10, 1000, 5000, 30_000),
})
const decision = fc.record<Decision>({
  edits: fc.array(edit, { maxLength: 3 }),
  throws: fc.constantFrom(false, false, false, true),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('write' as const),
      decisions: fc.array(decision, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('list' as const),
      back: fc.integer({ min: -1, max: 15 }),
      namespace: fc.option(fc.constantFrom('a', 'a-b', 'none'), { nil: undefined }),
      limit: fc.constantFrom(0, 1, 2, 5),
      odd: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('page' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('watch' as const),
      back: fc.integer({ min: -1, max: 15 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('stop' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ type: 'restart' as const }) },
)

type Plain = ReadonlyMap<string, string>
type Paging = {
  query: Parameters<Objects['list']>[0] & { at: number }
  expected: readonly string[]
  seen: string[]
}
type Watching = { from: number; seen: string[]; stop: () => void }

const idOf = (one: Stored) => `${one.resource}:${one.namespace}/${one.name}`
const textAt = (key: string, revision: number, size: number) =>
  `${key} at ${revision} ${'.'.repeat(size)}`
const isOdd = ({ revision }: Stored) => revision % 2 === 1

class Beside {
  readonly #folder = newFolder()
  #objects = Objects.open(this.#folder, { history })
  /** By revision: what was there, as `resource:key` to text. */
  readonly #moments: Plain[] = [new Map()]
  readonly #log: { revision: number; line: string }[] = []
  #begin = 0
  #pagings: Paging[] = []
  #watchings: Watching[] = []

  async take(step: Step): Promise<void> {
    if (step.type === 'write') await this.#write(step.decisions)
    if (step.type === 'list') this.#list(step)
    if (step.type === 'page') this.#page(step.which)
    if (step.type === 'watch') this.#watch(step.back)
    if (step.type === 'stop') this.#stop(step.which)
    if (step.type === 'restart') this.#restart()
    this.#compare()
  }

  close(): void {
    this.#objects.close()
  }

  get #now(): number {
    return this.#moments.length - 1
  }

  get #oldest(): number {
    return Math.max(this.#begin, this.#now - history.changes)
  }

  async #write(decisions: Decision[]): Promise<void> {
    const answers = await Promise.allSettled(
      decisions.map((one) => this.#objects.write((tx) => this.#decide(tx, one))),
    )
    expect(answers.map(({ status }) => status === 'rejected')).toEqual(
      decisions.map(({ throws }) => throws),
    )
  }

  /** To both at once; the model is given only what stays. */
  #decide(tx: Transaction, { edits, throws }: Decision): void {
    const size = this.#moments.length
    const lines = this.#log.length
    for (const { key, resource, removes, size } of edits) {
      const { namespace, name } = spotOf(key)
      const id = `${resource}:${key}`
      const then = new Map(this.#moments.at(-1))
      const text = textAt(key, tx.next, size)
      const one = stored(tx.next, key, { resource, bytes: Buffer.from(text) })
      const type = removes ? 'DELETED' : then.has(id) ? 'MODIFIED' : 'ADDED'
      expect(tx.get(resource, namespace, name)).toSatisfy((before: Stored | undefined) =>
        before === undefined ? !then.has(id) : then.get(id) === textOf(before),
      )
      if (removes && !then.delete(id)) continue
      if (resource === 'services') {
        this.#log.push({ revision: tx.next, line: `${type} ${id} ${text}` })
      }
      if (!removes) then.set(id, text)
      if (removes) tx.remove(one)
      else tx.put(one)
      this.#moments.push(then)
    }
    if (!throws) return
    this.#moments.splice(size)
    this.#log.splice(lines)
    throw new Error('no')
  }

  #list({ back, namespace, limit, odd }: Step & { type: 'list' }): void {
    const at = this.#now - back
    const matches = odd ? isOdd : undefined
    const query = { resource: 'services', at, namespace, limit, matches }
    if (at > this.#now || at < this.#oldest) {
      expect(this.#objects.list(query)).toBe(at > this.#now ? 'future' : 'expired')
      return
    }
    const texts = [...(this.#moments[at] ?? [])]
      .filter(([id]) => id.startsWith('services:'))
      .map(([id, text]) => ({ spot: spotOf(id.slice('services:'.length)), text }))
      .filter(({ spot }) => namespace === undefined || spot.namespace === namespace)
      .sort((one, other) => (isBefore(one.spot, other.spot) ? -1 : 1))
      .map(({ text }) => text)
      .filter((text) => !odd || Number(text.split(' ')[2]) % 2 === 1)
    const paging = { query, expected: texts, seen: [] }
    this.#pagings.push(paging)
    this.#page(this.#pagings.length - 1)
  }

  /** The next page of one that was begun, however much was written since. */
  #page(which: number): void {
    const index = which % this.#pagings.length
    const [paging] = this.#pagings.splice(index, 1)
    if (paging === undefined) return
    const { query, expected, seen } = paging
    const page = this.#objects.list(query)
    if (typeof page === 'string') {
      expect(page).toBe('expired')
      expect(query.at).toBeLessThan(this.#oldest)
      return
    }
    seen.push(...page.items.map(textOf))
    expect(page.revision).toBe(query.at)
    expect(seen).toEqual(expected.slice(0, seen.length))
    const left = expected.length - seen.length
    expect(page.next !== undefined).toBe(left > 0)
    expect(page.remaining).toBe(left > 0 && query.matches === undefined ? left : undefined)
    if (page.next !== undefined) {
      this.#pagings.push({ ...paging, query: { ...query, after: page.next } })
    }
  }

  #watch(back: number): void {
    const from = this.#now - back
    const seen: string[] = []
    const stop = this.#objects.watch('services', from, ({ type, stored: one, before }) => {
      const isOdd = (before === undefined) !== (type === 'ADDED')
      seen.push(`${type} ${idOf(one)} ${textOf(one)}${isOdd ? ' with a wrong before' : ''}`)
    })
    if (typeof stop === 'function') this.#watchings.push({ from, seen, stop })
    else expect(stop).toBe(from > this.#now ? 'future' : 'expired')
    const isKnown = from <= this.#now && from >= this.#oldest
    expect(typeof stop === 'function').toBe(isKnown)
  }

  #stop(which: number): void {
    const [watching] = this.#watchings.splice(which % this.#watchings.length, 1)
    watching?.stop()
  }

  #restart(): void {
    this.#objects.close()
    this.#objects = Objects.open(this.#folder, { history })
    this.#begin = this.#now
    this.#watchings = []
  }

  #compare(): void {
    expect(this.#objects.revision).toBe(this.#now)
    expect(this.#objects.oldest).toBe(this.#oldest)
    for (const resource of ['services', 'nodes']) {
      const page = this.#objects.list({ resource })
      if (typeof page === 'string') throw new Error(page)
      const there = [...(this.#moments.at(-1) ?? [])].filter(([id]) => id.startsWith(resource))
      expect(new Map(page.items.map((one) => [idOf(one), textOf(one)]))).toEqual(new Map(there))
    }
    for (const { from, seen } of this.#watchings) {
      const lines = this.#log.filter(({ revision }) => revision > from).map(({ line }) => line)
      expect(seen).toEqual(lines)
    }
  }
}

test('it does what a store would that keeps everything for ever', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
      async (steps) => {
        const beside = new Beside()
        try {
          for (const one of steps) await beside.take(one)
        } finally {
          beside.close()
        }
      },
    ),
    { numRuns: 40 },
  )
})
