// Which command replaces a deprecated field or annotation?

import { recordAt } from '../../../core/model/json.ts'
import { kubectlFix } from '../../../core/policy/lint/kubectlFix.ts'
import type { LintFinding } from '../../../core/policy/lint/lintFinding.ts'
import type { Manifest } from '../../../edge/manifests/manifest.ts'

export function deprecationFix(
  { object, field }: Pick<LintFinding, 'object' | 'field'>,
  { json }: Pick<Manifest, 'json'>,
): string | undefined {
  if (field === 'spec.disableMP') {
    return kubectlFix(
      object,
      'patch',
      '--type=json',
      '-p',
      '[{"op":"remove","path":"/spec/disableMP"}]',
    )
  }
  const [, key = ''] = /^metadata\.annotations\[(.+)\]$/.exec(field) ?? []
  const annotations = recordAt(json['metadata'], 'annotations')
  const value = annotations[key]
  if (typeof value !== 'string' || /\p{Cc}/u.test(value)) return undefined
  const name = key.slice(key.indexOf('/') + 1)
  const renamed = `metallb.io/${name}`
  // The new prefix takes precedence, and the controller writes its own annotation itself.
  const isNeedless = renamed in annotations || name === 'ip-allocated-from-pool'
  return kubectlFix(object, 'annotate', ...(isNeedless ? [] : [`${renamed}=${value}`]), `${key}-`)
}
