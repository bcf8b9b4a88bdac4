import { expect, test } from 'vitest'
import { secureMetricsOf } from './metricsFlags.ts'

const folder = '/etc/berth/metrics'

test.each([
  { values: {}, env: {}, wanted: undefined },
  { values: { 'secure-metrics': true }, env: {}, wanted: { certificateFolder: undefined } },
  {
    values: { 'secure-metrics': true, 'metrics-cert-dir': folder },
    env: {},
    wanted: { certificateFolder: folder },
  },
  {
    values: {},
    env: { BERTH_SECURE_METRICS: 'true', BERTH_METRICS_CERT_DIR: folder },
    wanted: { certificateFolder: folder },
  },
  { values: {}, env: { BERTH_SECURE_METRICS: 'false' }, wanted: undefined },
])('$values and $env ask for $wanted', ({ values, env, wanted }) => {
  expect(secureMetricsOf(values, env)).toEqual(wanted)
})

test('a certificate for metrics that everyone may read is refused', () => {
  expect(() => secureMetricsOf({ 'metrics-cert-dir': folder }, {})).toThrow(
    '--metrics-cert-dir is for --secure-metrics: add it, or leave both out',
  )
})
