// Which API is meant when nobody names one? That of the `berth up` that runs on the usual folder.
import { chosenFolder, type Environment } from './folder.ts'
import { whoRuns } from './running.ts'

export function localKubeconfig(env: Environment, home: string): string | undefined {
  const folder = chosenFolder('', env, home)
  return whoRuns(folder) === undefined ? undefined : folder.kubeconfig
}
