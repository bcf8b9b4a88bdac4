// Which advertisements and peers act, and which do nothing because what they name is not there, or
// because they ask for too much?
// Each is inert alone; MetalLB refuses the whole configuration instead (M8.1 rules 11, 12, 23).
import type { BgpAdvertisement, Peer } from '../../model/announcing.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { type Aliases, aliasesOf, resolveCommunities } from './communities.ts'
import { type BadAnnotation, type RouteTerms, routeTermsOf } from './routeTerms.ts'

type Inert = {
  readonly code: 'unresolved-reference' | 'too-many-communities'
  readonly view: BgpAdvertisement | Peer
  readonly field: string
  readonly message: string
}
/** Its communities are values, aliases no more. */
export type ActingAdvertisement = BgpAdvertisement & { readonly terms: RouteTerms }
export type Acting = {
  /** By name. */
  readonly advertisements: readonly ActingAdvertisement[]
  /** By name. */
  readonly peers: readonly Peer[]
  /** One for each reference that leads nowhere, or other cause. */
  readonly inert: readonly Inert[]
  /** What is left out of one that acts. */
  readonly bad: readonly (BadAnnotation & { readonly view: BgpAdvertisement })[]
  readonly aliases: Aliases
}

/** As in MetalLB (M6.2): what a path attribute of 255 bytes holds. */
const mostCommunities = 63

/** `secrets`: whether the World has those that peers name, or whoever dials them looks. */
export function actingIn(world: ReadonlyWorld, secrets: 'known' | 'unread' = 'known'): Acting {
  const aliases = aliasesOf(world.all('Community').values())
  const advertisements: ActingAdvertisement[] = []
  const peers: Peer[] = []
  const inert: Inert[] = []
  const bad: Acting['bad'][number][] = []
  for (const view of [...world.all('BGPAdvertisement').values()].sort(byName)) {
    const { values, unknown } = resolveCommunities(view.communities, aliases)
    const field = 'spec.communities'
    const isMany = values.length > mostCommunities
    if (unknown.length === 0 && !isMany) {
      const { terms, bad: unread } = routeTermsOf(view)
      advertisements.push({ ...view, communities: values, terms })
      bad.push(...unread.map((one) => ({ ...one, view })))
    }
    for (const alias of unknown) {
      const message = `no Community defines the alias ${alias}`
      inert.push({ code: 'unresolved-reference', view, field, message })
    }
    if (isMany) {
      const asked = `it asks for ${values.length}`
      const message = `a route can have ${mostCommunities} communities, and ${asked}`
      inert.push({ code: 'too-many-communities', view, field, message })
    }
  }
  for (const view of [...world.all('BGPPeer').values()].sort(byName)) {
    const all = danglingOf(world, view)
    const dangling = secrets === 'known' ? all : all.filter(({ field }) => field !== secretField)
    if (dangling.length === 0) peers.push(view)
    inert.push(...dangling)
  }
  return { advertisements, peers, inert, bad, aliases }
}

const secretField = 'spec.passwordSecret'

function danglingOf(world: ReadonlyWorld, view: Peer): Inert[] {
  const dangling: Inert[] = []
  const code = 'unresolved-reference'
  const secret = whySecretFails(world, view.passwordSecret)
  if (secret) dangling.push({ code, view, field: secretField, message: secret })
  if (view.bfdProfile !== '' && !world.all('BFDProfile').has(view.bfdProfile)) {
    const message = `there is no BFDProfile ${view.bfdProfile}`
    dangling.push({ code, view, field: 'spec.bfdProfile', message })
  }
  return dangling
}

function whySecretFails(world: ReadonlyWorld, name: string): string | undefined {
  if (name === '') return undefined
  const secret = world.all('Secret').get(`${world.ownNamespace}/${name}`)
  if (!secret) return `there is no Secret ${name} in namespace ${world.ownNamespace}`
  if (secret.type !== 'kubernetes.io/basic-auth') {
    return `Secret ${name} is of type ${secret.type} instead of kubernetes.io/basic-auth`
  }
  return secret.keys.includes('password') ? undefined : `Secret ${name} has no key password`
}

const byName = (one: { name: string }, other: { name: string }): number =>
  one.name < other.name ? -1 : 1
