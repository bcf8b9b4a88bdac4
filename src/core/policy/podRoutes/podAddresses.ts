// Which addresses does a pod want routes for (R16.2)? What its networks gave it, and the one that
// its label names; those of the cluster's network need none.
import type { PodView } from '../../model/podRoutes/podRoutes.ts'
import { predictableLabel } from '../../model/podRoutes/routeLabels.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { type Ip, parseIp } from '../../net/ip.ts'

type Wanted = {
  /** Each once, in the order of its networks. */
  readonly ips: readonly Ip[]
  /** What is no address, in words. */
  readonly leftOut: readonly string[]
  /** What it has to wait for; empty if for nothing. */
  readonly waits: string
}

/** Done, starting or without an address of its own: it has no part in this. */
export const isRouted = ({ isRunning, asked, predictable }: PodView): boolean =>
  isRunning && (asked > 0 || predictable !== '')

export function addressesWanted(world: ReadonlyWorld, pod: PodView): Wanted {
  const { asked, attached, predictable } = pod
  const attachments = world.all('NetworkAttachmentDefinition')
  const addressed = attached.filter(({ attachment, ips }) => {
    const known = attachments.get(attachment)
    return known === undefined ? ips.length > 0 : known.hasIpam
  })
  const bare = addressed.find(({ ips }) => ips.length === 0)
  const texts = asked === 0 ? [] : addressed.flatMap(({ ips }) => ips)
  const read = [...texts, ...(predictable === '' ? [] : [predictable])].map(
    (text) => [text, parseIp(text)] as const,
  )
  const ips = read.flatMap(([, ip]) => (ip.ok ? [ip.value] : []))
  return {
    ips: [...new Set(ips)],
    leftOut: read.flatMap(([text, ip]) => (ip.ok ? [] : [whyLeftOut(text, pod)])),
    waits:
      attached.length < asked
        ? `it has ${attached.length} of ${asked} networks: Multus has not reported the others`
        : bare === undefined
          ? ''
          : `it has no address on ${bare.attachment} yet`,
  }
}

const whyLeftOut = (text: string, { predictable }: PodView): string => {
  const where = text === predictable ? `label ${predictableLabel}` : 'its networks'
  return `${JSON.stringify(text)} of ${where} is no address`
}
