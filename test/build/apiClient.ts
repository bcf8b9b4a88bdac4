// Our own client, to the embedded API of a test or to where nothing listens.
import { onTestFinished } from 'vitest'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'
import { ca } from './apiStand.ts'

export function clientTo(port: number): Api {
  const api = newApi({
    server: new URL(`https://127.0.0.1:${port}`),
    proxy: undefined,
    trust: { ca: { text: ca }, isChecked: true, serverName: undefined },
    credentials: writtenCredentials({ token: { text: 'admin' } }),
    headers: {},
    namespace: '',
  })
  onTestFinished(() => api.close())
  return api
}

/** Port 1 is reserved: nothing answers. */
export const clientToNobody = (): Api => clientTo(1)
