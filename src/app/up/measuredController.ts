// Which controller runs in `berth up` now, and what does it say at /metrics? What it says on a port
// of its own in a cluster.
import { metricsText, metricsType } from '../../edge/kube/serve/metricsText.ts'
import { Requests } from '../../edge/kube/serve/requests.ts'
import type { Page } from '../../edge/store/http/answerer.ts'
import type { Controller } from '../controller/controller.ts'
import { metricsOf, newMetrics } from '../controller/metrics.ts'

export class MeasuredController {
  readonly requests = new Requests()
  #metrics: ReturnType<typeof newMetrics> = () => []
  #controller: Controller | undefined

  /** The one that runs now. */
  get controller(): Controller | undefined {
    return this.#controller
  }

  page(): Page {
    return { type: metricsType, text: metricsText(this.#metrics()) }
  }

  follow(controller: Controller): Controller {
    this.#controller = controller
    this.#metrics = newMetrics(metricsOf(controller, this.requests))
    return controller
  }
}
