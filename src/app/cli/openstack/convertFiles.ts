// berth openstack convert: the same objects, with override.service in place of externalEndpoints.
import { recordAt, textAt } from '../../../core/model/json.ts'
import { convertEndpoints } from '../../../core/policy/exposure/convertEndpoints.ts'
import { readManifests } from '../../../edge/manifests/readManifests.ts'
import { toYaml } from '../../../edge/manifests/toYaml.ts'
import type { Exit, Io } from '../io.ts'
import { placeText } from '../placeText.ts'
import { visible } from '../visible.ts'

/** What cannot be converted is told and left out; the rest is printed. */
export async function convertFiles(files: readonly string[], io: Io): Promise<Exit> {
  let [exit, printed]: [Exit, number] = [0, 0]
  const failed = (where: string, why: string): void => {
    io.err(`${visible(`berth: ${where}: ${why}`)}\n`)
    exit = 1
  }
  for await (const read of readManifests(files, io.stdin)) {
    if (!read.ok) {
      const { source, why } = read.unreadable
      failed(placeText(source), why)
      continue
    }
    const { json, source } = read.manifest
    const { object, fields, errors } = convertEndpoints(json)
    const name = `${textAt(json, 'kind')}/${textAt(recordAt(json, 'metadata'), 'name')}`
    const where = `${source.file}:${source.line}: ${name}`
    for (const { path, message } of errors) failed(`${where}: ${path}`, message)
    if (errors.length > 0) continue
    for (const field of fields) io.err(`${visible(`${where}: ${field} is converted`)}\n`)
    io.out(`${printed++ === 0 ? '' : '---\n'}${toYaml(object)}`)
  }
  return exit
}
