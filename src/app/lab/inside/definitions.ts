// Which definitions does Kubernetes need for Berth? The ones we ship, without conversion: a lab has
// no webhook.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import { yamlOrFault } from '../../../edge/manifests/parseYaml.ts'
import { crdFolder } from '../../../edge/manifests/shippedCrds.ts'

export const definitions = (): readonly JsonObject[] =>
  readdirSync(crdFolder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => yamlOrFault(readFileSync(join(crdFolder, file), 'utf8')))
    .filter(isRecord)
    .map(withoutWebhook)

function withoutWebhook(json: JsonObject): JsonObject {
  const spec = isRecord(json['spec']) ? json['spec'] : {}
  return { ...json, spec: { ...spec, conversion: { strategy: 'None' } } }
}
