// How is it printed for programs? The same plain data as JSON or YAML.
import { toYaml } from '../../edge/manifests/toYaml.ts'

/** Nothing where text was asked for. */
export function formatted(view: object, format: string): string | undefined {
  if (format !== 'json' && format !== 'yaml') return undefined
  const json = JSON.stringify(view, counts, 2)
  return format === 'json' ? `${json}\n` : toYaml(JSON.parse(json))
}

/** Counts of addresses can be larger than a JSON number is exact: they are text. */
const counts = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value
