// berth migrate: from MetalLB to Berth, and back.
import type { Exit } from '../io.ts'
import { apiOptions, liveSettings, withCluster } from '../live/liveApi.ts'
import { isSet, textOf, UsageError, type Verb } from '../verb.ts'
import { migrateBack } from './migrateBack.ts'
import { migrateCheck } from './migrateCheck.ts'
import { migrateConfigMap } from './migrateConfigMap.ts'

export const migrateVerb: Verb = {
  name: 'migrate',
  summary: 'migrate from MetalLB, or back',
  usage: [
    'migrate configmap FILE',
    'migrate check [--context NAME] [--kubeconfig FILE] [-o text|json]',
    'migrate back [--dry-run] [--context NAME] [--kubeconfig FILE]',
  ],
  description: `
configmap converts a ConfigMap of MetalLB 0.12 or older to resources, in the order of MetalLB's own
converter. Standard error lists what is renamed or cannot be converted.

check looks for what prevents a switch on a running cluster, and prints the commands that resolve
it.

back removes what Berth wrote and MetalLB does not know: the condition berth.dev/Addressed of
Services, and the Addresses that Berth created. Services keep their addresses. It refuses to start
while a Berth controller leads.

Exit status: 0 done, or nothing prevents the switch; 2 something does (check); 1 something could
not be read, reached or removed.`,
  examples: [
    'berth migrate configmap config.yaml > resources.yaml',
    'berth migrate check --context production',
    'berth migrate back --dry-run',
  ],
  words: ['configmap', 'check', 'back'],
  options: {
    ...apiOptions,
    'dry-run': { type: 'boolean', help: 'with back: only show what would be removed' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json'],
      help: 'with check: output format',
    },
  },
  async run(args, io): Promise<Exit> {
    const [what = '', file = '', ...rest] = args.positionals
    const isOne = what === 'configmap' ? file !== '' && rest.length === 0 : file === ''
    if (what === 'configmap' && isOne) return migrateConfigMap(file, io)
    if (what === 'check' && isOne) {
      return withCluster(args, io, ({ api }) => migrateCheck(api, io, textOf(args, 'output')))
    }
    if (what !== 'back' || !isOne) {
      throw new UsageError('migrate configmap FILE, migrate check or migrate back')
    }
    const mode = isSet(args, 'dry-run') ? 'dry-run' : 'do'
    const namespace = liveSettings(args, io).ownNamespace
    return withCluster(args, io, ({ api }) => migrateBack({ api, io, namespace, mode }))
  },
}
