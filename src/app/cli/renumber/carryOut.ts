// How is a renumbering carried out? Write by write on the running API; the next one begins when the
// controller has seen it and every Service shows what the plan says.
import { setTimeout } from 'node:timers/promises'
import { isRecord, type Json, recordAt, textAt } from '../../../core/model/json.ts'
import { mergePatch } from '../../../core/model/mergePatch.ts'
import { counted } from '../../../core/net/counted.ts'
import { addressedType } from '../../../core/policy/decideService.ts'
import { isSeen } from '../../../core/sim/renumber/renumberSeen.ts'
import type { RenumberWrite } from '../../../core/sim/renumber/renumberWrite.ts'
import { shiftedIps } from '../../../core/sim/renumber/shift.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../../edge/kube/api/fault.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { kinds, resourceOf } from '../../../edge/kube/kinds.ts'
import type { Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'
import type { Renumbered } from './renumberText.ts'

class Stopped extends Fault {
  override readonly name = 'Stopped'
}

/** Answers whether all of it was done. */
export async function carryOut(api: Api, renumbered: Renumbered, io: Io): Promise<boolean> {
  for (const { title, writes, takesAway } of renumbered.phases) {
    if (writes.length === 0) continue
    io.err(`${title}: ${counted(writes.length, 'write')}\n`)
    for (const write of writes) {
      try {
        if (io.signal.aborted) throw new Stopped('interrupted')
        if (takesAway && write === writes[0]) await nobodyIsLeft({ api, io }, renumbered)
        await carryOutOne(api, write)
        await untilSeen({ api, io }, write, renumbered)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        io.err(`berth: stopped at '${title}', ${write.id}: ${error.message}\n`)
        return false
      }
    }
  }
  io.err('Done: every Service has moved.\n')
  return true
}

/** A Service that got an address since the plan was made would lose it with the range. */
async function nobodyIsLeft({ api, io }: Reach, { shift }: Renumbered): Promise<void> {
  const { signal } = io
  const all = await listAll(api, resourceOf('Service'), signal).catch((error: unknown) => {
    if (signal.aborted) throw new Stopped('interrupted')
    throw error
  })
  for (const service of all) {
    const { name, namespace } = recordAt(service, 'metadata')
    const shown = shownBy(service)
    const isOurs = JSON.stringify(service['status'] ?? {}).includes(addressedType)
    if (!isOurs || shiftedIps(shift, shown) === shown) continue
    throw new Stopped(
      `Service ${namespace}/${name} got ${shown} after the plan was made; ` +
        'run the command again to move it',
    )
  }
}

async function carryOutOne(api: Api, { id, change }: RenumberWrite): Promise<void> {
  const path = pathTo(id)
  for (let tries = 0; ; tries++) {
    const there = await readOrNothing(api, path)
    const { status: _, ...before } = there ?? {}
    const after = change(there === undefined ? undefined : before)
    try {
      await write(api, path, { before: there === undefined ? undefined : before, after })
      return
    } catch (error) {
      // Somebody wrote in between: read again.
      if (!(error instanceof ApiError) || error.code !== 409 || tries === 5) throw error
    }
  }
}

type Change = { readonly before: Json | undefined; readonly after: Json | undefined }

async function write(api: Api, path: string, { before, after }: Change): Promise<void> {
  if (before === undefined) {
    const collection = path.slice(0, path.lastIndexOf('/'))
    if (after !== undefined) await api.call({ method: 'POST', path: collection, body: after })
    return
  }
  if (after === undefined) {
    const { uid, resourceVersion } = recordAt(before, 'metadata')
    await api.call({ method: 'DELETE', path, body: { preconditions: { uid, resourceVersion } } })
    return
  }
  const patch = mergePatch(before, after)
  if (!isRecord(patch)) return
  const { resourceVersion } = recordAt(before, 'metadata')
  const body = { ...patch, metadata: { ...recordAt(patch, 'metadata'), resourceVersion } }
  await api.call({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' })
}

type Reach = { readonly api: Api; readonly io: Io }

/** By the controller, and shown by every Service that it moves. */
async function untilSeen({ api, io }: Reach, write: RenumberWrite, of: Renumbered): Promise<void> {
  const { object, changed = new Map() } = of.rehearsal.after.get(write) ?? {}
  await within(io, async () => {
    const now = await readOrNothing(api, pathTo(write.id))
    const isDone = now === undefined || isSeen(now, object)
    return isDone ? '' : `the controller has not seen '${write.what}': is it running?`
  })
  for (const [service, ips] of changed) {
    await within(io, async () => {
      const shown = shownBy(await readOrNothing(api, pathTo(`Service/${service}`)))
      if (shown === ips) return ''
      const what = `shows ${shown || 'no address'}, and not ${ips || 'none'}`
      return `Service ${service} ${what}: berth explain service ${service} --live`
    })
  }
}

/** Until nothing is missing; a minute at most. */
async function within({ signal }: Io, missing: () => Promise<string>): Promise<void> {
  for (let tries = 0; ; tries++) {
    const what = await missing()
    if (what === '') return
    if (signal.aborted) throw new Stopped(`interrupted while waiting: ${what}`)
    if (tries === 120) throw new Stopped(`${what} (waited a minute)`)
    await setTimeout(tries === 0 ? 50 : 500)
  }
}

function shownBy(service: unknown): string {
  const { ingress } = recordAt(recordAt(service, 'status'), 'loadBalancer')
  const entries = Array.isArray(ingress) ? ingress : []
  return entries.map((entry) => textAt(entry, 'ip')).join(',')
}

async function readOrNothing(api: Api, path: string): Promise<Json | undefined> {
  const there = await ifThere(api.call({ method: 'GET', path }))
  return isRecord(there) ? { ...there } : undefined
}

/** Kind/namespace/name or Kind/name. */
function pathTo(id: string): string {
  const [kind, ...names] = id.split('/')
  const row = kinds.find((one) => one.kind === kind)
  if (row === undefined) throw new Error(`${id} is of no kind that is written here`)
  const [name = '', namespace] = names.toReversed()
  return pathOf({ ...row, namespace }, name)
}
