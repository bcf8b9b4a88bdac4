// berth migrate check: what prevents a cluster from switching from MetalLB? Nothing is written.
import { counted } from '../../../core/net/counted.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Resource } from '../../../edge/kube/api/resource.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import type { Exit, Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'
import { wrapped } from '../wrapped.ts'
import { definitionFindings } from './checkDefinitions.ts'
import type { CheckFinding } from './checkFinding.ts'
import { webhookFindings } from './checkWebhooks.ts'
import { daemonSetFindings, deploymentFindings } from './checkWorkloads.ts'

const deployments = resourceOf('Deployment')
const daemonSets = resourceOf('DaemonSet')
const definitions = resourceOf('CustomResourceDefinition')
const peers = resourceOf('BGPPeer')
const webhooks = resourceOf('ValidatingWebhookConfiguration')

/** In the order to fix them: first what needs a running MetalLB, then MetalLB itself. */
export async function migrateCheck(api: Api, io: Io, format: string): Promise<Exit> {
  const list = (resource: Resource) => listAll(api, resource, io.signal)
  const findings = [
    ...definitionFindings(await list(definitions), (await list(peers)).length),
    ...deploymentFindings(await list(deployments)),
    ...webhookFindings(await list(webhooks)),
    ...daemonSetFindings(await list(daemonSets)),
  ]
  io.out(format === 'json' ? jsonText(findings) : checkText(findings))
  return findings.some(({ severity }) => severity === 'error') ? 2 : 0
}

const jsonText = (findings: readonly CheckFinding[]): string =>
  `${JSON.stringify({ schema: 'berth.dev/migrate-check/v1', findings }, undefined, 2)}\n`

/** Each command is on one line, to be copied. */
function checkText(findings: readonly CheckFinding[]): string {
  if (findings.length === 0) return 'nothing of MetalLB prevents the switch\n'
  const entries = findings.map(({ severity, code, object, message, fixes }) =>
    [
      `${severity} ${code} ${object}`,
      ...wrapped(message, 2),
      ...fixes.map((fix) => `  fix: ${fix}`),
      '',
    ].join('\n'),
  )
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const sum = errors === 0 ? 'none blocks the switch' : `${errors} to fix before the switch`
  return `${entries.join('\n')}\n${counted(findings.length, 'finding')}, ${sum}\n`
}
