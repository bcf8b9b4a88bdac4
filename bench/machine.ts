// Which machine was this measured on, and how loaded was it?
import { cpus, loadavg, release, totalmem } from 'node:os'

export function machine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  const load = loadavg()[0]?.toFixed(1)
  const date = new Date().toISOString().slice(0, 10)
  return (
    `${date}, Node ${process.version}, ${cpu?.model.trim()}, ${cpus().length} cores, ` +
    `${memory} GB, Linux ${release()}, load at the start ${load}.`
  )
}
