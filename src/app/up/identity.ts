// Who are we, for as long as we run? Certificates on disk and in use, looked at once an hour.

import type { Connection } from '../../edge/kube/api/connection.ts'
import { loadedCredentials } from '../../edge/kube/api/credentials.ts'
import { type Folder, writePrivate } from './folder.ts'
import { type Keys, readKeys, renewed, trustOf } from './keys.ts'
import { kubeconfigOf } from './kubeconfig.ts'

const hourMs = 3_600_000

/** As those of any API server, so that clients who insist on a name find it. */
const usualNames = [
  'localhost',
  '127.0.0.1',
  '::1',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
]

export const serverNames = (listen: string): readonly string[] =>
  ['0.0.0.0', '::', ...usualNames].includes(listen) ? usualNames : [...usualNames, listen]

export class OwnIdentity {
  readonly #folder: Folder
  readonly #names: readonly string[]
  #keys: Keys

  static async open(folder: Folder, names: readonly string[]): Promise<OwnIdentity> {
    const keys = await renewed(readKeys(folder.keys), names, new Date())
    const identity = new OwnIdentity(folder, names, keys)
    identity.#keep(keys)
    return identity
  }

  private constructor(folder: Folder, names: readonly string[], keys: Keys) {
    this.#folder = folder
    this.#names = names
    this.#keys = keys
  }

  get keys(): Keys {
    return this.#keys
  }

  /** How our controllers reach the API: like every other client, over loopback. */
  connectionTo(server: string): Connection {
    const credential = () => ({ authorization: undefined, certificate: this.#keys.controller })
    return {
      server: new URL(server),
      proxy: undefined,
      trust: { ca: { file: this.#folder.ca }, isChecked: true, serverName: undefined },
      credentials: loadedCredentials(async () => ({
        credential: credential(),
        validForMs: hourMs,
      })),
      headers: {},
      namespace: 'default',
    }
  }

  writeKubeconfig(server: string): void {
    const { admin } = this.#keys
    const user = { name: 'berth-admin', ...admin }
    writePrivate(this.#folder.kubeconfig, kubeconfigOf({ server, ca: trustOf(this.#keys), user }))
  }

  /** Whenever something was made anew; the answer ends it. */
  watch(changed: (keys: Keys) => void, failed: (error: unknown) => void): () => void {
    const look = async (): Promise<void> => {
      const keys = await renewed(this.#keys, this.#names, new Date())
      if (JSON.stringify(keys) === JSON.stringify(this.#keys)) return
      this.#keep(keys)
      changed(keys)
    }
    const timer = setInterval(() => void look().catch(failed), hourMs)
    return () => clearInterval(timer)
  }

  #keep(keys: Keys): void {
    this.#keys = keys
    writePrivate(this.#folder.keys, `${JSON.stringify(keys)}\n`)
    writePrivate(this.#folder.ca, trustOf(keys))
  }
}
