// Who are we, for as long as we run? Certificates on disk and in use, looked at once a minute: a
// clock that is set can end them at any time.
import type { Connection } from '../../edge/kube/api/connection.ts'
import { loadedCredentials } from '../../edge/kube/api/credentials.ts'
import { type Folder, writePrivate } from './folder.ts'
import { type Keys, readKeys, renewed, trustOf } from './keys.ts'
import { kubeconfigOf } from './kubeconfig.ts'
import { thisMachine } from './machine.ts'

const lookMs = 60_000

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

/** Whoever listens everywhere is asked under every name and address of this machine. */
export function serverNames(listen: string): readonly string[] {
  const { hostname, addresses } = thisMachine()
  const isEverywhere = ['0.0.0.0', '::'].includes(listen)
  return [...new Set([...usualNames, ...(isEverywhere ? [hostname, ...addresses] : [listen])])]
}

export class OwnIdentity {
  readonly #folder: Folder
  readonly #names: readonly string[]
  readonly #now: () => Date
  #keys: Keys

  static async open(
    folder: Folder,
    names: readonly string[],
    now = (): Date => new Date(),
  ): Promise<OwnIdentity> {
    const keys = await renewed(readKeys(folder.keys), names, now())
    const identity = new OwnIdentity(folder, { names, now, keys })
    identity.#keep(keys)
    return identity
  }

  private constructor(
    folder: Folder,
    { names, now, keys }: { names: readonly string[]; now: () => Date; keys: Keys },
  ) {
    this.#folder = folder
    this.#names = names
    this.#now = now
    this.#keys = keys
  }

  get keys(): Keys {
    return this.#keys
  }

  /** How our controllers reach the API: like every other client. */
  connectionTo(server: string): Connection {
    const credential = () => ({ authorization: undefined, certificate: this.#keys.controller })
    return {
      server: new URL(server),
      proxy: undefined,
      trust: { ca: { file: this.#folder.ca }, isChecked: true, serverName: undefined },
      credentials: loadedCredentials(async () => ({
        credential: credential(),
        validForMs: lookMs,
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
    const look = (): void => {
      this.look(changed).catch(failed)
    }
    const timer = setInterval(look, lookMs)
    return () => clearInterval(timer)
  }

  async look(changed: (keys: Keys) => void): Promise<void> {
    const keys = await renewed(this.#keys, this.#names, this.#now())
    if (JSON.stringify(keys) === JSON.stringify(this.#keys)) return
    this.#keep(keys)
    changed(keys)
  }

  /** In use only once they are on disk: else a full one would be found out at the next start. */
  #keep(keys: Keys): void {
    writePrivate(this.#folder.keys, `${JSON.stringify(keys)}\n`)
    writePrivate(this.#folder.ca, trustOf(keys))
    this.#keys = keys
  }
}
