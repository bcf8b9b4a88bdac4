// Which addresses were there when a step was begun? Kept in the API: whoever goes on with a step
// that was killed compares with what was before it, not with what it left.
import { gunzipSync, gzipSync } from 'node:zlib'
import type { ServiceView } from '../../../../core/model/service.ts'
import { counted } from '../../../../core/net/counted.ts'
import { servicesNow } from './held.ts'
import { readNote, writeNote } from './notes.ts'
import { Stopped, type Walk } from './walk.ts'

type Baseline = {
  readonly step: string
  /** By uid, so that a Service of the same name that was created since is none of these. */
  readonly addresses: Readonly<Record<string, string>>
}

const note = 'begun'

/** What another step left is looked at first; the same one goes on with what was before it. */
export async function beginStep(walk: Walk, step: string): Promise<void> {
  const before = await read(walk)
  if (before?.step === step) return
  if (before !== undefined) await endStep(walk)
  await write(walk, step)
}

/** What changed is said once: the next run begins with what is there now. */
export async function endStep(walk: Walk): Promise<void> {
  const before = await read(walk)
  if (before === undefined) return
  const moved = (await servicesNow(walk)).filter((one) => {
    const was = before.addresses[idOf(one)]
    return was !== undefined && was !== told(one)
  })
  // Not before: a list that fails must not lose what was noted.
  await writeNote(walk, note, undefined)
  const [first] = moved
  if (first === undefined) return
  const [was, is] = [before.addresses[idOf(first)] || 'none', told(first) || 'none']
  throw new Stopped(
    `the addresses of ${counted(moved.length, 'Service')} changed since the step ` +
      `${before.step} was begun, such as ${first.key}: from ${was} to ${is}`,
  )
}

async function write(walk: Walk, step: string): Promise<void> {
  const services = (await servicesNow(walk)).filter(({ ingress }) => ingress.length > 0)
  const addresses = Object.fromEntries(services.map((one) => [idOf(one), told(one)]))
  const json = JSON.stringify({ step, addresses } satisfies Baseline)
  await writeNote(walk, note, gzipSync(json).toString('base64'))
}

async function read(walk: Walk): Promise<Baseline | undefined> {
  const text = await readNote(walk, note)
  if (text === undefined) return undefined
  return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString('utf8'))
}

/** Short enough for 65,536 Services in one ConfigMap, and never the same for two of a name. */
const idOf = ({ key, uid }: ServiceView): string => `${key}/${uid.slice(0, 4)}`

const told = ({ ingress }: ServiceView): string => [...ingress].sort().join(', ')
