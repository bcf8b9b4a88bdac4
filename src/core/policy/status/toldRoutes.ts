// Which routes has a speaker really sent? As it says itself.
export type ToldRoute = {
  readonly prefix: string
  readonly node: string
  readonly peer: string
  readonly nextHop: string
  /** Undefined where none is asked for. */
  readonly localPref: number | undefined
  readonly communities: readonly string[]
  /** Absent: as usual. */
  readonly med?: number
  readonly prepend?: number
  readonly endpoints?: number
}

/** Plain data under a named schema. */
export const toldRoutesView = (routes: readonly ToldRoute[]): object => ({
  schema: 'berth.dev/bgp-told/v1',
  routes,
})
