// Which Kubernetes do the suites run on? What came with a newer one is not asked of an older one.
import { inject } from 'vitest'
import { apiAs } from './cluster.ts'

async function askedVersion(): Promise<string> {
  const api = apiAs('admin')
  const { gitVersion } = (await api.call({ method: 'GET', path: '/version' })) as {
    gitVersion: string
  }
  api.close()
  return gitVersion
}

/** As `v1.36.3`. */
export const kubeVersion = inject('kube') === undefined ? 'v1' : await askedVersion()

/** Whether it is 1.`minor` or newer. */
export const isSince = (minor: number): boolean => Number(kubeVersion.split('.')[1]) >= minor
