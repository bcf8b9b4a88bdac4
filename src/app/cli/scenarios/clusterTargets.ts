// May scenarios run on this cluster, and how is its controller asked? Never where somebody's pools,
// tenants or load balancers are, unless that was said to be fine.
import type { Api } from '../../../edge/kube/api/client.ts'
import { Fault, faultFrom } from '../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { ServedKinds } from '../../../edge/kube/api/servedKinds.ts'
import { Fields, isRecord } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { type LiveObject, listAll } from '../live/listAll.ts'
import { liveKinds } from '../live/liveKinds.ts'
import { type Arguments, isSet, textOf } from '../verb.ts'
import { metaOf } from './liveObjects.ts'
import type { Progress, Target, Targets } from './target.ts'

const usualUrl = 'http://127.0.0.1:17472'

export async function clusterTargets(api: Api, args: Arguments): Promise<Targets> {
  const url = textOf(args, 'controller') || usualUrl
  const progress = () => progressAt(url)
  await progress()
  if (!isSet(args, 'allow-in-use')) await refuseInUse(api)
  const namespaces = new Set<string>()
  const close = async (): Promise<void> => undefined
  const served = new ServedKinds(api)
  const target: Target = { api, served, progress, isOwn: false, namespaces, close }
  return {
    lanes: 1,
    get: async ({ bgpMode, isSingleStack }) =>
      bgpMode === 'native' && !isSingleStack ? target : undefined,
    discard(_, why) {
      throw new Fault(`${why}; the run ends here, and what this scenario made may still be there`)
    },
    async close() {
      const path = (name: string) => pathOf(resourceOf('Namespace'), name)
      await Promise.all(
        [...namespaces].map((name) => api.call({ method: 'DELETE', path: path(name) })),
      )
    },
  }
}

async function progressAt(url: string): Promise<Progress> {
  const remedy =
    "name it with --controller, or run 'kubectl -n metallb-system port-forward " +
    "deployment/berth-controller 17472'"
  try {
    const answer = await fetch(new URL('/quiet', url))
    const json: unknown = await answer.json()
    if (!isRecord(json)) throw new Error(`status ${answer.status}`)
    return progressIn(json)
  } catch (error) {
    const { message } = faultFrom(error, url)
    throw new Fault(`the controller cannot be asked whether it is done: ${message}; ${remedy}`)
  }
}

function progressIn(json: LiveObject): Progress {
  const seen = Object.entries(isRecord(json['seen']) ? json['seen'] : {}).map(([kind, one]) => {
    const { objects } = isRecord(one) ? one : {}
    const resourceVersion = new Fields(one, []).text('resourceVersion')
    return [kind, { resourceVersion, objects: Number(objects) }] as const
  })
  return { isQuiet: json['isQuiet'] === true, seen: Object.fromEntries(seen) }
}

const ofSomebody = ['ipaddresspools', 'tenants', 'services']

async function refuseInUse(api: Api): Promise<void> {
  const { signal } = new AbortController()
  const kinds = liveKinds.filter(({ plural }) => ofSomebody.includes(plural))
  const found = await Promise.all(
    kinds.map(async (kind) =>
      (await listAll(api, kind, signal))
        .filter((json) => kind.plural !== 'services' || isLoadBalancer(json))
        .map((json) => `${kind.plural}/${metaOf(json)['name']}`),
    ),
  )
  const all = found.flat().sort()
  if (all.length === 0) return
  const some = all.slice(0, 3).join(', ') + (all.length > 3 ? ` and ${all.length - 3} more` : '')
  throw new Fault(
    `the cluster is in use (${some}), and scenarios make and remove pools and Services: ` +
      'run them on a cluster for tests, with --engine embedded, or say --allow-in-use',
  )
}

const isLoadBalancer = (json: LiveObject): boolean =>
  new Fields(json, []).inner('spec').text('type') === 'LoadBalancer'
