// What happens when the steps of a claim come in this very order? The test says which step is next,
// or lets all happen but some.
import { type Step, takeOne } from './lateClient.ts'
import { Leader } from './leaders.ts'
import { TinyApi } from './tinyApi.ts'

export class Stage {
  readonly api = new TinyApi()
  readonly #leaders: Leader[] = []
  readonly #taken: string[] = []

  /** Ready once it has decided from what it lists. */
  async lead(): Promise<Leader> {
    const leader = new Leader(this.api, `leader ${this.#leaders.length}`, () => 0)
    this.#leaders.push(leader)
    await takeOne([], () => 0)
    return leader
  }

  /** Requests that have arrived, as `POST Address 10.0.0.1`. */
  get requests(): string[] {
    return this.#told(/^leader \d+ ((?:POST|PATCH|DELETE|GET) \w+ \S+)/)
  }

  get refused(): string[] {
    return this.#told(/hears no of (\w+ \w+ \S+)/)
  }

  /** What was until now is not told. */
  forget(): void {
    this.#taken.splice(0)
  }

  #told(title: RegExp): string[] {
    return this.#taken.flatMap((taken) => title.exec(taken)?.[1] ?? [])
  }

  get steps(): readonly Step[] {
    return this.#leaders.flatMap((leader) => leader.steps)
  }

  /** The next step of this title. */
  async take(title: RegExp): Promise<void> {
    const { steps } = this
    const step = steps.find((one) => title.test(one.title))
    if (step === undefined) throw new Error(`${title} is none of\n${titlesOf(steps)}`)
    await this.#run(step)
  }

  /** All that can happen but this, each in its turn. */
  async rest(but = /^never$/): Promise<void> {
    await takeOne([], () => 0)
    for (let left = 500; ; left--) {
      const step = this.steps.find(({ title }) => !but.test(title))
      if (step === undefined) return
      if (left === 0) throw new Error(`does not come to rest\n${this.#taken.slice(-20).join('\n')}`)
      await this.#run(step)
    }
  }

  async #run(step: Step): Promise<void> {
    this.#taken.push(step.title)
    await takeOne([step], () => 0)
  }
}

const titlesOf = (steps: readonly Step[]): string => steps.map(({ title }) => title).join('\n')
