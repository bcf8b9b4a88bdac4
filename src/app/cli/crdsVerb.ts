// Which resource definitions do we ship? As YAML, ready for kubectl apply -f -.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crdFolder } from '../../edge/manifests/shippedCrds.ts'
import type { Exit } from './io.ts'
import type { Verb } from './verb.ts'

export const crdsVerb: Verb = {
  name: 'crds',
  summary: 'print the custom resource definitions',
  usage: ['crds'],
  description: `
Prints the custom resource definitions of metallb.io and berth.dev as YAML. The BGPPeer definition
converts between versions through Berth's controller. Do not apply them while MetalLB's controller
runs: docs/guides/migrate.md says when to.`,
  examples: ['berth crds | kubectl apply -f -'],
  options: {},
  async run(_, io): Promise<Exit> {
    const files = (await readdir(crdFolder)).filter((file) => file.endsWith('.yaml')).sort()
    const texts = await Promise.all(files.map((file) => readFile(join(crdFolder, file), 'utf8')))
    for (const text of texts) io.out(text.startsWith('---') ? text : `---\n${text}`)
    return 0
  },
}
