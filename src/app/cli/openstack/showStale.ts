// berth openstack stale: annotations that no control plane says any more, and how to remove them.
import { counted } from '../../../core/net/counted.ts'
import { type Stale, staleAnnotations } from '../../../core/policy/exposure/staleAnnotations.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { decode } from '../../../edge/kube/decode/decode.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { aligned } from '../aligned.ts'
import type { Exit, Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'
import { namespaceMeant } from '../live/namespaceMeant.ts'
import { visible } from '../visible.ts'

type Asked = { readonly api: Api; readonly io: Io; readonly namespace: string }

export async function showStale({ api, io, namespace }: Asked): Promise<Exit> {
  const place = namespace === '' ? undefined : namespace
  const [planes, services] = await Promise.all([
    listAll(api, resourceOf('OpenStackControlPlane', place), io.signal),
    listAll(api, resourceOf('Service', place), io.signal),
  ])
  const overrides = planes
    .map((json) => decode(json))
    .flatMap((read) =>
      read.kind === 'view' && read.view.kind === 'OpenStackControlPlane' ? read.view.overrides : [],
    )
  const stale = staleAnnotations(overrides, services)
  if (stale.length === 0) {
    const near = namespace === '' ? '' : await namespaceMeant(api, namespace, io.signal)
    const read = counted(planes.length, 'OpenStackControlPlane')
    io.out(`no stale annotations: ${read} read${near}\n`)
    return 0
  }
  const rows = stale.map((one) => [`${one.namespace}/${one.name}`, one.annotation, one.value])
  for (const line of aligned([['SERVICE', 'ANNOTATION', 'VALUE'], ...rows])) io.out(`${line}\n`)
  io.out('\nNo longer in the OpenStackControlPlane. To remove them:\n')
  for (const line of commands(stale)) io.out(`${visible(line)}\n`)
  return 2
}

/** One for each Service. */
function commands(stale: readonly Stale[]): readonly string[] {
  const services = [...new Set(stale.map(({ namespace, name }) => `-n ${namespace} ${name}`))]
  return services.map((service) => {
    const own = stale.filter(({ namespace, name }) => `-n ${namespace} ${name}` === service)
    const keys = own.map(({ annotation }) => `${annotation}-`).join(' ')
    return `  kubectl annotate service ${service} ${keys}`
  })
}
