// Which metrics does every daemon serve? Its configuration, its requests and its process (M7.1).
import type { Metric, Sample } from './metricsText.ts'
import type { Requests } from './requests.ts'

export const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: 'gauge',
  samples,
})
export const counter = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: 'counter',
  samples,
})
export const one = (value: number | boolean): Sample => ({ value: Number(value) })

type Config = { readonly wasIn: boolean; readonly isIn: boolean; readonly ignored: number }

export function configMetrics({ wasIn, isIn, ignored }: Config): Metric[] {
  const name = 'metallb_k8s_client_config'
  const loaded = 'Whether the configuration was read at least once.'
  const stale = 'Whether part of the configuration is invalid or must be read again.'
  const objects = 'Invalid configuration objects.'
  return [
    gauge(`${name}_loaded_bool`, loaded, [one(wasIn)]),
    gauge(`${name}_stale_bool`, stale, [one(wasIn && (!isIn || ignored > 0))]),
    gauge('berth_ignored_objects', objects, [one(ignored)]),
  ]
}

export function requestMetrics({ updates, writes }: Requests): Metric[] {
  const failed = writes.filter(({ result }) => result === 'error')
  const errors = failed.reduce((sum, { count }) => sum + count, 0)
  const samples = writes.map(({ resource, result, count }) => ({
    labels: { resource, result },
    value: count,
  }))
  return [
    counter('metallb_k8s_client_updates_total', 'Changes received from watches.', [one(updates)]),
    counter('metallb_k8s_client_update_errors_total', 'Writes that failed.', [one(errors)]),
    counter('berth_writes_total', 'Writes to the API by result.', samples),
  ]
}

export function processMetrics(): Metric[] {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  const cpu = (userCPUTime + systemCPUTime) / 1e6
  const startedAt = performance.timeOrigin / 1000
  return [
    counter('process_cpu_seconds_total', 'CPU time used.', [one(cpu)]),
    gauge('process_resident_memory_bytes', 'Memory in use.', [one(process.memoryUsage.rss())]),
    gauge('process_start_time_seconds', 'Start time in seconds since 1970.', [one(startedAt)]),
  ]
}
