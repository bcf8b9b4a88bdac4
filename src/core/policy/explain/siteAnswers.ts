// What does the Site say of a name, and which DNS servers pass it on (R13.10)?
import { nameText } from '../../model/names/nameText.ts'
import { externalOf, siteName } from '../../model/site.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Ip } from '../../net/ip.ts'
import { siteNames } from '../made/site/siteNames.ts'

type SiteAnswer = {
  readonly addresses: readonly Ip[]
  /** One for all names below a domain: a host's own address comes before it. */
  readonly isWide: boolean
}

/** Undefined where the Site says nothing of it. */
export function siteAnswer(world: ReadonlyWorld, name: string): SiteAnswer | undefined {
  const fitting = namesOfSite(world).filter((one) => fits(nameText(one.name), name))
  if (fitting.length === 0) return undefined
  const addresses = [...new Set(fitting.map(({ address }) => address))]
  return { addresses, isWide: fitting.every((one) => one.name.startsWith('*.')) }
}

export function namesOfSite(world: ReadonlyWorld): ReturnType<typeof siteNames> {
  const site = world.all('Site').get(siteName)
  return site === undefined ? [] : siteNames(externalOf(site))
}

/** An `address` of dnsmasq answers for the domain itself too. */
function fits(known: string, asked: string): boolean {
  if (!known.startsWith('*.')) return asked === known
  return asked === known || `.${asked}`.endsWith(known.slice(1))
}
