// Which scenarios end otherwise on a running API than in the simulator, and why may they?
export type Engine = 'embedded' | 'Kubernetes'

/** By name. */
export const differs: Readonly<Record<Engine, Readonly<Record<string, string>>>> = {
  embedded: {},
  Kubernetes: {},
}
