// Which servers does dnsmasq ask? Those among the options of its DNSMasq, in a file that it reads
// again when it is told to (R13.4).
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dividedOptions } from '../../../core/policy/names/dnsOptions.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import { watch } from '../../../edge/kube/api/watch.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'

type Following = {
  readonly api: Api
  readonly clock: Clock
  readonly random: () => number
  readonly namespace: string
  /** The ConfigMap with the options, which are under the key of its own name. */
  readonly config: string
  readonly file: string
  readonly signal: AbortSignal
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** The file is written, for the first time or again. */
  readonly complete: () => void
  /** How to make dnsmasq read the file again; undefined where it cannot be told. */
  readonly reload: () => (() => void) | undefined
}

/** Until the signal aborts. While the ConfigMap cannot be read, what is known stays. */
export async function followServers(following: Following): Promise<void> {
  const { api, namespace, config, signal, log, complete } = following
  const selector = { fieldSelector: `metadata.name=${config}` }
  const resource = { ...resourceOf('ConfigMap', namespace), selector }
  // What the list says may be newer than what a dnsmasq has read that runs already.
  let [isComplete, isUntold] = [false, false]
  for await (const step of watch(api, resource, { ...following, signal })) {
    if (step.type === 'fault') log({ level: 'warn', message: step.fault.message })
    else if (step.type === 'init-done') {
      if (!existsSync(following.file)) write(following, '')
      isComplete = true
      if (isUntold) following.reload()?.()
      isUntold = false
      complete()
    } else if (step.type !== 'init' && step.type !== 'delete') {
      const text = new Fields(step.json, []).inner('data').text(config)
      const isNews = write(following, dividedOptions(text).servers)
      if (isComplete && isNews) following.reload()?.()
      else isUntold ||= isNews
    }
  }
}

/** Replaced as a whole, so that dnsmasq never reads half a file. Answers whether it changed. */
function write({ file }: Following, servers: string): boolean {
  if (existsSync(file) && readFileSync(file, 'utf8') === servers) return false
  writeFileSync(`${file}.new`, servers, { mode: 0o644 })
  renameSync(`${file}.new`, file)
  return true
}
