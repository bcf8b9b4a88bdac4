// How are metrics kept for those who may read them? By two flags that both daemons have.
import { Fault } from '../api/fault.ts'

export type SecureMetrics = {
  /** With tls.crt and tls.key; undefined: a certificate is made at every start. */
  readonly certificateFolder: string | undefined
}
type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>
type Environment = Readonly<Record<string, string | undefined>>

export const metricsFlags = {
  'secure-metrics': {
    type: 'boolean',
    help: 'serve /metrics over HTTPS, to tokens that may get it (BERTH_SECURE_METRICS=true)',
  },
  'metrics-cert-dir': {
    type: 'string',
    help: 'directory with tls.crt and tls.key; by default self-signed (BERTH_METRICS_CERT_DIR)',
    value: 'DIR',
  },
} as const

export function secureMetricsOf(values: Values, env: Environment): SecureMetrics | undefined {
  const folder = values['metrics-cert-dir'] || env['BERTH_METRICS_CERT_DIR']
  const certificateFolder = typeof folder === 'string' && folder !== '' ? folder : undefined
  const isAsked = values['secure-metrics'] === true || env['BERTH_SECURE_METRICS'] === 'true'
  if (isAsked) return { certificateFolder }
  if (certificateFolder === undefined) return undefined
  throw new Fault('--metrics-cert-dir is for --secure-metrics: add it, or leave both out')
}
