// Which addresses are kept free for a Site in the middle of a move (R6.10)?
import { externalOf, type Site, siteName } from '../../model/site.ts'
import { siteMaker } from '../../model/sitePools.ts'
import { vipsFor } from '../../model/siteVips.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { familyOf, type Ip, toBigInt } from '../../net/ip.ts'
import type { ClaimedRange } from './checkOverlap.ts'

export function claimAt(path: string, ip: Ip): ClaimedRange {
  const value = toBigInt(ip)
  return { path, owner: siteMaker, range: { family: familyOf(ip), first: value, last: value } }
}

/** What a move would go back to, or on to: nobody else's pool may take it meanwhile. */
export function vipsHeldBack(world: ReadonlyWorld): readonly ClaimedRange[] {
  const site = world.all('Site').get(siteName)
  if (site?.move === undefined) return []
  const inUse = new Set(allOf(externalOf(site)))
  return [...allOf(site.external), ...allOf(site.move.before)]
    .filter((ip) => !inUse.has(ip))
    .map((ip) => claimAt('', ip))
}

const allOf = (external: Site['external']): readonly Ip[] =>
  external === undefined ? [] : [...vipsFor(external, 'api'), ...vipsFor(external, 'ingress')]
