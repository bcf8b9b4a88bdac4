// Which addresses, pools and Services does a Site have? One of each for the API and for ingress.
import type { Ip } from '../net/ip.ts'
import type { Key } from './service.ts'
import type { External, Site } from './site.ts'

/** What each of the two is called. */
export const vipNames = {
  api: { pool: 'metallb-api-vip', service: 'metallb-api' },
  ingress: { pool: 'metallb-ingress-vip', service: 'metallb-ingress' },
} as const
export type Vip = keyof typeof vipNames

export const vipServices = ({ api, ingress }: Site): readonly Key[] => [
  `${api.namespace}/${vipNames.api.service}`,
  `${ingress.namespace}/${vipNames.ingress.service}`,
]

/** Which of the two the Service of that key is, if it is one. */
export function vipOf(site: Site, key: Key): Vip | undefined {
  const [api, ingress] = vipServices(site)
  if (key === api) return 'api'
  return key === ingress ? 'ingress' : undefined
}

/** The addresses of one of the two, the first family first. */
export const vipsFor = (external: External, vip: Vip): readonly Ip[] =>
  [external, external.secondary].flatMap((pair) => {
    const ip = vip === 'api' ? pair?.apiVIP : pair?.ingressVIP
    return ip ?? []
  })
