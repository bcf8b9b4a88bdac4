// How is what is kept for an IPSet released? First its Reservation goes, then its lines in the
// blocks, each under the version that was read: whoever writes meanwhile is not overwritten.
import { type AddressBlock, keyOfBlockHolder } from '../../../core/model/ipam/addressBlock.ts'
import { meant } from '../../../core/model/meant.ts'
import type { Reservation } from '../../../core/model/wires.ts'
import { counted } from '../../../core/net/counted.ts'
import { specOfBlock } from '../../../core/policy/ipam/decideBlock.ts'
import type { Api, ApiRequest } from '../../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../../edge/kube/api/fault.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { decode } from '../../../edge/kube/decode/decode.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf, typeOf } from '../../../edge/kube/kinds.ts'
import type { Exit, Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'

type Release = {
  readonly api: Api
  readonly io: Io
  readonly namespace: string
  readonly name: string
  readonly isSure: boolean
}
type Kept = {
  readonly reservation: Reservation | undefined
  readonly blocks: readonly AddressBlock[]
  readonly lines: readonly string[]
}

/** Controllers write blocks too; each of our tries starts from what they wrote. */
const tries = 10

export async function releaseIpSet(release: Release): Promise<Exit> {
  const { api, io, namespace, name, isSure } = release
  const what = `IPSet ${namespace}/${name}`
  if ((await read(api, 'IPSet', release)) !== undefined) {
    io.err(`berth: ${what} is there: delete it first, then release what is kept\n`)
    return 1
  }
  let kept = await keptFor(release)
  if (kept.lines.length === 0) {
    io.out(`nothing is kept for ${what}${await holderMeant(release)}\n`)
    return 0
  }
  const { lines } = kept
  io.out(lines.map((line) => `${line}\n`).join(''))
  const count = counted(lines.length, 'address', 'addresses')
  if (!isSure) {
    io.out(`${count} kept; nothing was done: add --yes to release what ${what} had\n`)
    return 2
  }
  for (let left = tries; kept.lines.length > 0; left--) {
    if (left === 0) throw new Fault(`${what}: another writer keeps changing its AddressBlocks`)
    await letGo(release, kept)
    kept = await keptFor(release)
  }
  io.out(`${count} released; nothing is kept for ${what}\n`)
  return 0
}

async function keptFor({ api, namespace, name }: Release): Promise<Kept> {
  const key = `${namespace}/${name}`
  const found = await read(api, 'Reservation', { namespace, name })
  const reservation = found?.kind === 'Reservation' ? found : undefined
  const blocks = (await blocksOf(api)).filter(({ holders }) =>
    holders.some((holder) => keyOfBlockHolder(holder) === key),
  )
  const claimed = blocks
    .flatMap(({ holders }) => holders.filter((holder) => keyOfBlockHolder(holder) === key))
    .map(({ address, network }) => `${address} ${network}`)
  const reserved = (reservation?.entries ?? []).flatMap(({ address, network }) =>
    address === undefined ? [] : `${address} ${network}`,
  )
  return { reservation, blocks, lines: [...new Set([...claimed, ...reserved])].sort() }
}

/** Told after a sentence about a name for which nothing is kept. */
async function holderMeant({ api, io, namespace, name }: Release): Promise<string> {
  const key = `${namespace}/${name}`
  const keysOf = async (kind: 'IPSet' | 'Reservation') =>
    (await listAll(api, resourceOf(kind), io.signal)).map((json) => {
      const meta = metaOf(new Fields(json, []))
      return `${meta.namespace}/${meta.name}`
    })
  const claimed = (await blocksOf(api)).flatMap(({ holders }) => holders.map(keyOfBlockHolder))
  const kept = new Set([...claimed, ...(await keysOf('Reservation'))])
  for (const isThere of await keysOf('IPSet')) kept.delete(isThere)
  return meant(key, kept)
}

async function letGo({ api, namespace, name }: Release, kept: Kept): Promise<void> {
  const { reservation, blocks } = kept
  if (reservation !== undefined) {
    const { uid, resourceVersion } = reservation
    const path = pathOf(resourceOf('Reservation', namespace), name)
    const body = { preconditions: { uid, resourceVersion } }
    await unlessChanged(api.call({ method: 'DELETE', path, body }))
  }
  for (const block of blocks) await unlessChanged(api.call(without(block, `${namespace}/${name}`)))
}

function without(block: AddressBlock, key: string): ApiRequest {
  const { uid, resourceVersion } = block
  const path = pathOf(resourceOf('AddressBlock'), block.name)
  const holders = block.holders.filter((holder) => keyOfBlockHolder(holder) !== key)
  if (holders.length === 0) {
    return { method: 'DELETE', path, body: { preconditions: { uid, resourceVersion } } }
  }
  const body = { metadata: { uid, resourceVersion }, spec: specOfBlock({ ...block, holders }) }
  return { method: 'PATCH', path, contentType: 'application/merge-patch+json', body }
}

/** What has changed or gone since is read again. */
async function unlessChanged(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 409].includes(error.code)) throw error
  }
}

type Named = { readonly namespace: string; readonly name: string }

async function read(api: Api, kind: 'IPSet' | 'Reservation', { namespace, name }: Named) {
  const path = pathOf(resourceOf(kind, namespace), name)
  const decoded = decode(await ifThere(api.call({ method: 'GET', path })))
  return decoded.kind === 'view' ? decoded.view : undefined
}

async function blocksOf(api: Api): Promise<readonly AddressBlock[]> {
  const items = await listAll(api, resourceOf('AddressBlock'), new AbortController().signal)
  return items.flatMap((item) => {
    const decoded = decode({ ...item, ...typeOf('AddressBlock') })
    return decoded.kind === 'view' && decoded.view.kind === 'AddressBlock' ? [decoded.view] : []
  })
}
