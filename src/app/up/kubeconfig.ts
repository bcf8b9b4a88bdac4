// How do clients reach the embedded API? With a kubeconfig that kubectl reads as it is.
import { createPrivateKey } from 'node:crypto'
import { toYaml } from '../../edge/manifests/toYaml.ts'

type Entry = {
  readonly server: string
  /** PEM, one certificate or several. */
  readonly ca: string
  readonly user:
    | { readonly name: string; readonly cert: string; readonly key: string }
    | { readonly name: string; readonly token: string }
  readonly namespace?: string
}

export function kubeconfigOf({ server, ca, user, namespace }: Entry): string {
  const credential =
    'token' in user
      ? { token: user.token }
      : { 'client-certificate-data': base64(user.cert), 'client-key-data': base64(named(user.key)) }
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'berth', cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: user.name, user: credential }],
    contexts: [
      {
        name: 'berth',
        context: {
          cluster: 'berth',
          user: user.name,
          ...(namespace === undefined ? {} : { namespace }),
        },
      },
    ],
    'current-context': 'berth',
  })
}

/** With the algorithm in its first line, without which clients in Java take it for RSA. */
const named = (key: string): string =>
  createPrivateKey(key).export({ type: 'sec1', format: 'pem' }).toString()

const base64 = (text: string): string => Buffer.from(text).toString('base64')
