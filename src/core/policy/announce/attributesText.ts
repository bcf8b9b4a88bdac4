// How are the attributes of a route told? Only those that somebody asked for.
import { counted } from '../../net/counted.ts'
import type { BgpAnnouncement } from './advertiseBgp.ts'

type Told = Pick<BgpAnnouncement, 'localPref' | 'med' | 'prepend' | 'endpoints' | 'communities'>

/** Without communities, which some tell on their own. */
export const attributeTexts = ({
  localPref,
  med,
  prepend,
  endpoints,
}: Omit<Told, 'communities'>) => [
  ...(localPref === undefined ? [] : [`localPref ${localPref}`]),
  ...(med === undefined ? [] : [`MED ${med}`]),
  ...(prepend === undefined ? [] : [`prepended ${prepend}`]),
  ...(endpoints === undefined ? [] : [`link bandwidth of ${counted(endpoints, 'endpoint')}`]),
]
