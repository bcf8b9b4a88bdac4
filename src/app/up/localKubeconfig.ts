// Which API is used if none is named? That of the `berth up` on the default data directory.
import { chosenFolder, type Environment } from './folder.ts'
import { whoRuns } from './running.ts'

export function localKubeconfig(env: Environment, home: string): string | undefined {
  const folder = chosenFolder('', env, home)
  return whoRuns(folder) === undefined ? undefined : folder.kubeconfig
}
