// Which BFD sessions run? Those of the last order; one whose timers changed goes on with new ones.
import { isSame } from '../../../core/model/sameView.ts'
import { openBfdEcho } from '../../../edge/host/udp/bfdEchoSocket.ts'
import { openBfdSockets } from '../../../edge/host/udp/bfdSockets.ts'
import { monotonicMs } from '../monotonic.ts'
import type { BfdNews, BfdOrder, BfdPlan } from './bfdMessages.ts'
import { BfdRunner } from './bfdRunner.ts'

const viewsMs = 1_000

export class BfdThread {
  readonly #post: (news: BfdNews) => void
  readonly #runners = new Map<string, { runner: BfdRunner; plan: BfdPlan }>()
  readonly #showing: NodeJS.Timeout

  constructor(post: (news: BfdNews) => void) {
    this.#post = post
    this.#showing = setInterval(() => this.#show(), viewsMs)
  }

  /** Ends once the peers of what ended have been told. */
  async order(order: BfdOrder): Promise<void> {
    const plans = order.kind === 'run' ? order.plans : []
    if (order.kind === 'stop') clearInterval(this.#showing)
    const wanted = new Map(plans.map((plan) => [plan.key, plan]))
    const ending = [...this.#runners].filter(([key, { plan }]) => {
      const after = wanted.get(key)
      return after === undefined || !isSame(plan.target, after.target)
    })
    await Promise.all(
      ending.map(([key, { runner }]) => {
        this.#runners.delete(key)
        return runner.stop()
      }),
    )
    for (const plan of plans) this.#run(plan)
  }

  #run(plan: BfdPlan): void {
    const known = this.#runners.get(plan.key)
    if (known === undefined) {
      const changed = (
        view: BfdRunner['view'],
        down?: { cause: 'failure' | 'admin'; why: string },
      ) => this.#post({ kind: 'changed', view, ...(down && { down }) })
      const open = { control: openBfdSockets, echo: openBfdEcho }
      const means = { nowMs: monotonicMs, random: Math.random, open, changed }
      this.#runners.set(plan.key, { plan, runner: new BfdRunner(plan, means) })
    } else if (!isSame(known.plan, plan)) {
      known.plan = plan
      known.runner.replan(plan)
    }
  }

  #show(): void {
    const views = [...this.#runners.values()].map(({ runner }) => runner.view)
    if (views.length > 0) this.#post({ kind: 'views', views })
  }
}
