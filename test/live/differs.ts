// Which scenarios end otherwise on a running API than in the simulator, and why may they?
export type Engine = 'embedded' | 'Kubernetes'

const secrets =
  'the controller has no right to read Secrets; a speaker says that it has no password'

/** By name. */
export const differs: Readonly<Record<Engine, Readonly<Record<string, string>>>> = {
  embedded: {},
  Kubernetes: { 'peer-secret-of-the-wrong-type': secrets },
}
