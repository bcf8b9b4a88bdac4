// Is what a command says of announcements seen or foreseen? An API, or its export, to which no
// speaker has reported has no announcements: shown is what speakers would do.
import { textAt } from '../../core/model/json.ts'
import { isFromApi } from './fromApi.ts'
import type { Loaded } from './load.ts'

const ofKind = ({ manifests }: Loaded, kind: string) =>
  [...manifests.values()].map(({ json }) => json).filter((json) => textAt(json, 'kind') === kind)

/** Nodes whose speaker has reported, however it was started. A stand-in is no report. */
export const reportingNodes = (loaded: Loaded): number => ofKind(loaded, 'NodeInterfaces').length

/** Manifests that somebody writes mean a cluster on which speakers run. */
export const areForeseen = (loaded: Loaded): boolean =>
  reportingNodes(loaded) === 0 &&
  !loaded.unreadable.some(({ why }) => why.includes('nodeinterfaces')) &&
  ofKind(loaded, 'Node').some(isFromApi)
