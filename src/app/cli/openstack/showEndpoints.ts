// berth openstack endpoints: the table of 'openstack endpoint list', from Services and Routes.
import { type Endpoint, endpointTable } from '../../../core/policy/exposure/endpointTable.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { decode } from '../../../edge/kube/decode/decode.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import type { Exit, Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'
import { namespaceMeant } from '../live/namespaceMeant.ts'
import { visible } from '../visible.ts'

type Asked = {
  readonly api: Api
  readonly io: Io
  readonly namespace: string
  readonly isWide: boolean
}

export async function showEndpoints({ api, io, namespace, isWide }: Asked): Promise<Exit> {
  const [services, routes, planes] = await Promise.all([
    listAll(api, resourceOf('Service', namespace), io.signal),
    listAll(api, resourceOf('Route', namespace), io.signal),
    listAll(api, resourceOf('OpenStackControlPlane', namespace), io.signal),
  ])
  const isTls = planes
    .map((json) => decode(json))
    .some((read) => read.kind === 'view' && 'isTls' in read.view && read.view.isTls)
  const endpoints = endpointTable({ services, routes, isTls })
  if (endpoints.length === 0) {
    const near = await namespaceMeant(api, namespace, io.signal)
    io.err(`berth: namespace ${visible(namespace)} has no Service of an endpoint${near}\n`)
    return 1
  }
  io.out(framed([headOf(isWide), ...endpoints.map((one) => rowOf(one, isWide))]))
  return 0
}

const headOf = (isWide: boolean): readonly string[] => [
  'Service Name',
  'Interface',
  'URL',
  ...(isWide ? ['Address'] : []),
]

const rowOf = (one: Endpoint, isWide: boolean): readonly string[] => [
  one.service,
  one.endpoint,
  one.url,
  ...(isWide ? [one.address] : []),
]

/** With a frame, as OpenStack's client prints it. */
function framed(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(visible))
  const widths = (shown[0] ?? []).map((_, at) =>
    Math.max(...shown.map((row) => row[at]?.length ?? 0)),
  )
  const line = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+\n`
  const text = (row: readonly string[]): string =>
    `|${row.map((cell, at) => ` ${cell.padEnd(widths[at] ?? 0)} `).join('|')}|\n`
  const [head = [], ...rest] = shown
  return `${line}${text(head)}${line}${rest.map(text).join('')}${line}`
}
