// Which definitions do we ship? A file is parsed only if its text changed, because parsing takes
// longer than everything else at the start.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../core/model/gate.ts'
import { isRecord } from '../../edge/kube/decode/fields.ts'
import { type Crd, readCrd } from '../../edge/kube/schema/crd.ts'
import { yamlOrFault } from '../../edge/manifests/parseYaml.ts'
import { crdFolder, embeddedFolder, openstackFolder } from '../../edge/manifests/shippedCrds.ts'

type Definition = {
  /** The name of the definition, from its file name `group_plural.yaml`. */
  readonly name: string
  readonly text: string
}

export const shippedDefinitions = (): readonly Definition[] =>
  [crdFolder, openstackFolder, embeddedFolder].flatMap(definitionsIn)

/** The kinds that admission checks. */
export const ownCrds = (): readonly Crd[] =>
  [crdFolder, openstackFolder]
    .flatMap(definitionsIn)
    .flatMap((definition) => readCrd(jsonOf(definition)) ?? [])

function definitionsIn(folder: string): readonly Definition[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
  return files.sort().map((file) => {
    const [group, plural] = file.replace(/\.yaml$/, '').split('_')
    return { name: `${plural}.${group}`, text: readFileSync(join(folder, file), 'utf8') }
  })
}

export function jsonOf({ name, text }: Definition): JsonObject {
  const json = yamlOrFault(text)
  if (!isRecord(json)) throw new Error(`the file of ${name} contains no object`)
  return json
}
