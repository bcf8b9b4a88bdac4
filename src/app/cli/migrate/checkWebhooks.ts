// Does a webhook of MetalLB check writes? Once MetalLB is stopped, every write would be refused.
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { type CheckFinding, walkFixes } from './checkFinding.ts'

export function webhookFindings(configurations: readonly unknown[]): CheckFinding[] {
  return configurations
    .map((json) => new Fields(json, []))
    .filter((configuration) => configuration.each('webhooks').some(isOfMetallb))
    .map((configuration) => {
      const { name } = metaOf(configuration)
      return {
        code: 'webhook-of-metallb',
        severity: 'error',
        object: `ValidatingWebhookConfiguration/${name}`,
        message:
          'MetalLB validates its resources; once its controller is stopped, every write of ' +
          'pools, advertisements and peers is refused. The step controller removes it, ' +
          'and notes it for the way back',
        fixes: walkFixes,
      }
    })
}

export function isOfMetallb(webhook: Fields): boolean {
  const service = webhook.inner('clientConfig').inner('service').text('name')
  const groups = webhook.each('rules').flatMap((rule) => rule.texts('apiGroups'))
  return groups.includes('metallb.io') && !service.startsWith('berth-')
}
