// What does a process inside one of the lab's namespaces do? Its arguments say; an answer is one
// line of JSON.
import type { Exit, Io } from '../../cli/io.ts'
import { UsageError } from '../../cli/verb.ts'
import { type Lab, machineNamed, nodesOf } from '../lab.ts'
import { kubeconfigOf } from '../labPaths.ts'
import { routersOf } from '../routerConfig.ts'

const ownNamespace = 'metallb-system'

/** Each is loaded on demand, to keep these processes small. */
export async function runInside(lab: Lab, words: readonly string[], io: Io): Promise<Exit> {
  const [what = '', ...rest] = words
  const kubeconfig = kubeconfigOf(lab)
  const nodes = nodesOf(lab)
  const tell = (answer: unknown): Exit => {
    io.out(`${JSON.stringify(answer)}\n`)
    return 0
  }
  const isOwn = lab.settings.engine === 'embedded'
  switch (what) {
    case 'node': {
      const { runNode } = await import('./nodeProgram.ts')
      const machine = machineNamed(lab, rest[0] ?? '')
      await runNode({ machine, kubeconfig, rules: isOwn ? 'own' : 'none' }, io)
      return 0
    }
    case 'endpoints': {
      await (await import('./endpoints.ts')).runEndpoints({ nodes, kubeconfig }, io)
      return 0
    }
    case 'begin': {
      const { begin } = await import('./begin.ts')
      const definitions = isOwn ? [] : (await import('./definitions.ts')).definitions()
      const routers = routersOf(lab)
      const { hasBfd } = lab.settings
      return tell(await begin({ nodes, routers, hasBfd, kubeconfig, ownNamespace, definitions }))
    }
    case 'ready': {
      const api = await (await import('./begin.ts')).readyAt(kubeconfig)
      api.close()
      return tell(true)
    }
    case 'announced':
      return tell(await (await import('./announced.ts')).announced(kubeconfig))
    case 'reach': {
      const [node = '', ...addresses] = rest
      await (await import('./reach.ts')).reach(node, addresses)
      return tell(true)
    }
    default:
      throw new UsageError('this command is internal: the lab runs it itself')
  }
}
