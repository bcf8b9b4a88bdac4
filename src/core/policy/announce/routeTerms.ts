// What do annotations of a BGPAdvertisement ask of its routes, beyond its fields? (R8.14, R8.15)
import type { BgpAdvertisement } from '../../model/announcing.ts'
import { advertisementAnnotations as names } from '../../model/bgpAnnotations.ts'

export type RouteTerms = {
  readonly med?: number
  /** How often our AS stands in the path beyond the once. */
  readonly prepend?: number
  /** Routers are told how many endpoints a node has. */
  readonly countsEndpoints?: true
}
export type BadAnnotation = { readonly name: string; readonly message: string }
type Read = { readonly terms: RouteTerms; readonly bad: readonly BadAnnotation[] }

const mostMed = 0xffff_ffff
/** Longer paths are dropped by some routers; this is as far as others let one go. */
const mostPrepend = 10

const nothing: Read = { terms: {}, bad: [] }

/** What cannot be read is left out, and reported. */
export function routeTermsOf({ annotations }: BgpAdvertisement): Read {
  if (annotations === undefined) return nothing
  const bad: BadAnnotation[] = []
  const number = (name: string, most: number): number | undefined => {
    const text = annotations[name]
    if (text === undefined) return undefined
    if (/^[0-9]{1,10}$/.test(text) && Number(text) <= most) return Number(text)
    bad.push({ name, message: `${JSON.stringify(text)} is not 0 to ${most}: left out` })
    return undefined
  }
  const [med, prepend] = [number(names.med, mostMed), number(names.prepend, mostPrepend)]
  const by = annotations[names.linkBandwidth]
  if (by !== undefined && by !== 'endpoints') {
    bad.push({ name: names.linkBandwidth, message: `${JSON.stringify(by)} is not endpoints` })
  }
  const terms = {
    ...(med !== undefined && { med }),
    ...(prepend !== undefined && prepend > 0 && { prepend }),
    ...(by === 'endpoints' && { countsEndpoints: true as const }),
  }
  return { terms, bad }
}
