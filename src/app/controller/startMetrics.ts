// Where are the controller's metrics served? On a port of their own, as Prometheus reads them.
import { metricsText, metricsType } from '../../edge/kube/serve/metricsText.ts'
import { type Guard, type Pages, servePages } from '../../edge/kube/serve/pages.ts'
import { type MetricsParts, newMetrics } from './metrics.ts'

/** Port 0 is any free one; without a guard everyone may read. */
export async function startMetrics(
  port: number,
  parts: MetricsParts,
  guard?: Guard,
): Promise<Pages> {
  const metrics = newMetrics(parts)
  const page = () => ({ status: 200, type: metricsType, body: metricsText(metrics()) })
  return servePages(port, { '/metrics': page }, { guard })
}
