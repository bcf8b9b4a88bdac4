// How is a pool released? What is kept from it is shown, then a note says that it is gone for good;
// the controller does the rest (R3.14).
import type { AddressView } from '../../../core/model/address.ts'
import { meant } from '../../../core/model/meant.ts'
import type { Settings } from '../../../core/model/world.ts'
import { counted } from '../../../core/net/counted.ts'
import { noteOf } from '../../../core/policy/decideReleasedPool.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { isNotFound, isObjectGone } from '../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import type { Exit, Io } from '../io.ts'
import { loadLive } from '../live/loadLive.ts'
import { newSession } from '../load.ts'
import { tellTroubles } from '../troubles.ts'

type Release = {
  readonly api: Api
  readonly io: Io
  readonly settings: Settings
  readonly pool: string
  readonly isSure: boolean
}

export async function releasePool(release: Release): Promise<Exit> {
  const { api, io, settings, pool, isSure } = release
  const there = await whatIsThere(api, settings.ownNamespace, pool)
  if (there !== 'nothing') {
    io.err(`berth: ${there}\n`)
    return 1
  }
  const session = await newSession(io, settings)
  const isUnread = tellTroubles([await loadLive(session, api)], io) > 0
  const { world } = session.cluster
  if (world.all('ReleasedPool').has(pool)) {
    io.out(`pool ${pool} is being released already\n`)
    return 0
  }
  const records = world.lost.all().get(pool) ?? []
  if (records.length === 0) {
    io.out(`nothing is kept from pool ${pool}${meant(pool, world.lost.all().keys())}\n`)
    return isUnread ? 1 : 0
  }
  const names = records.flatMap(holdersIn)
  io.out(names.map((line) => `${line}\n`).join(''))
  if (!isSure) {
    io.out(`${lose(names.length)}; nothing was done: add --yes to release pool ${pool}\n`)
    return 2
  }
  await note(api, pool)
  io.out(`${lose(names.length)}: pool ${pool} is released\n`)
  return 0
}

const lose = (count: number): string =>
  `${counted(count, 'Service')} ${count === 1 ? 'loses its address' : 'lose their addresses'}`

const holdersIn = ({ address, holders }: AddressView): string[] =>
  holders.map(({ namespace, name }) => `${address} ${namespace}/${name}`)

/** Asked by name, so that no right that is missing looks like a pool that is. */
async function whatIsThere(api: Api, namespace: string, pool: string): Promise<string> {
  const path = pathOf(resourceOf('IPAddressPool', namespace), pool)
  try {
    await api.call({ method: 'GET', path })
    return `pool ${pool} is there; its addresses are released when it is deleted`
  } catch (error) {
    if (!isNotFound(error)) throw error
    const isServed = isObjectGone(error, pool)
    return isServed ? 'nothing' : 'IPAddressPools are not served: apply their definition first'
  }
}

/** Somebody else may have written it in the meantime. */
async function note(api: Api, pool: string): Promise<void> {
  const path = pathOf(resourceOf('ReleasedPool'))
  try {
    await api.call({ method: 'POST', path, body: noteOf(pool, 'Released') })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 409) throw error
  }
}
