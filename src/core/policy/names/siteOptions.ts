// What does a DNS server that answers for the Site have among its options (R13.10)? A hosts file
// knows no names with an asterisk, and `address` answers for all that ends so.
import type { DnsMasq, DnsOption } from '../../model/names/dns.ts'
import { externalOf, type Site } from '../../model/site.ts'
import { siteNames } from '../made/site/siteNames.ts'

/** As it is served, with what it does not say itself. */
export function withSiteNames(server: DnsMasq, site: Site | undefined): DnsMasq {
  if (site === undefined || server.hasSiteNames !== true) return server
  const added = siteNames(externalOf(site)).map(
    ({ name, address }): DnsOption =>
      name.startsWith('*.')
        ? { key: 'address', values: [`/${name.slice(2)}/${address}`] }
        : { key: 'host-record', values: [name, address] },
  )
  return { ...server, options: [...server.options, ...added] }
}
