// In which namespace is what migrates? MetalLB's, where the pools are: Berth belongs there too.
import { leaseName } from '../../../edge/kube/adoption.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { type KindName, resourceOf } from '../../../edge/kube/kinds.ts'
import type { Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'
import { controllersIn, speakersIn } from './metallb.ts'

type Answer =
  | { readonly ok: true; readonly namespace: string }
  | { readonly ok: false; readonly why: string }

const variable = 'METALLB_NAMESPACE'
const usual = 'metallb-system'

/** As METALLB_NAMESPACE says; without it where MetalLB is, or Berth once MetalLB is gone. */
export async function placeOf(api: Api, io: Io): Promise<Answer> {
  const list = (kind: KindName) => listAll(api, resourceOf(kind), io.signal)
  const deployments = await list('Deployment')
  const theirs = [...controllersIn(deployments), ...speakersIn(await list('DaemonSet'))]
  const found = [...new Set(theirs.map(({ namespace }) => namespace))].sort()
  const told = io.env[variable] ?? ''
  if (told !== '') {
    const isElsewhere = found.length > 0 && !found.includes(told)
    const why = `MetalLB is in namespace ${found.join(' and ')}, and ${variable} is ${told}`
    return isElsewhere ? { ok: false, why } : { ok: true, namespace: told }
  }
  const [only = berthIn(deployments)[0] ?? usual, other] = found
  if (other === undefined) return { ok: true, namespace: only }
  const why = `MetalLB is in namespaces ${found.join(' and ')}: say which one is meant`
  return { ok: false, why: `${why}, as with ${variable}=${only}` }
}

/** Where Berth's controllers are. */
export const berthIn = (deployments: readonly unknown[]): string[] =>
  deployments
    .map((json) => metaOf(new Fields(json, [])))
    .filter(({ name }) => name === leaseName)
    .map(({ namespace }) => namespace)
    .sort()
