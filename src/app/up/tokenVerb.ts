// How does somebody else get in? With a token that can be bound to a namespace or only read.
import { pathOf } from '../../edge/kube/api/resource.ts'
import type { Exit, Io } from '../cli/io.ts'
import { type Arguments, isSet, textOf, UsageError, type Verb } from '../cli/verb.ts'
import { dataOption, folderOf } from './dataOption.ts'
import { kubeconfigOf } from './kubeconfig.ts'
import { withRunning } from './ownApi.ts'
import { type Bounds, newToken, tokenNamespace } from './tokens.ts'

export const tokenVerb: Verb = {
  name: 'token',
  summary: "make a token for the API of 'berth up'",
  usage: [
    'token [--user NAME] [--namespace NS] [--read-only] [--for DURATION] [-o token|kubeconfig]',
  ],
  description: `
Prints a token, once: only its hash is kept, in a Secret of kube-system labelled berth.dev/token.
Without bounds it may do everything. Delete its Secret and the token ends.

Exit status: 0 made, 1 nothing runs on that folder.`,
  examples: [
    'berth token --namespace shop --for 24h',
    'berth token --read-only -o kubeconfig > reader.kubeconfig',
    'kubectl delete secret -n kube-system -l berth.dev/token=0123456789',
  ],
  options: {
    ...dataOption,
    user: { type: 'string', value: 'NAME', help: 'whom it names, for messages and ownership' },
    namespace: { type: 'string', short: 'n', value: 'NS', help: 'only what is in this namespace' },
    'read-only': { type: 'boolean', help: 'only get, list and watch, and no Secrets' },
    for: { type: 'string', value: 'DURATION', help: 'ends after that, such as 30m, 24h or 90d' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORM',
      choices: ['token', 'kubeconfig'],
      help: 'the token alone, or a kubeconfig with it',
    },
  },
  async run(args: Arguments, io: Io): Promise<Exit> {
    const bounds = boundsOf(args)
    const { text, secret } = newToken(bounds)
    return withRunning(folderOf(args, io), io, async ({ api, server, ca }) => {
      if (bounds.namespace !== undefined) {
        await api.call({ method: 'GET', path: pathOf(namespaces, bounds.namespace) })
      }
      const secrets = { group: '', version: 'v1', plural: 'secrets', namespace: tokenNamespace }
      await api.call({ method: 'POST', path: pathOf(secrets), body: secret })
      const { namespace } = bounds
      const user = { name: 'token', token: text }
      const entry = { server, ca, user, ...(namespace === undefined ? {} : { namespace }) }
      io.out(textOf(args, 'output') === 'kubeconfig' ? kubeconfigOf(entry) : `${text}\n`)
      return 0
    })
  },
}

const namespaces = { group: '', version: 'v1', plural: 'namespaces' }

function boundsOf(args: Arguments): Bounds {
  const namespace = textOf(args, 'namespace')
  // Whoever may write there could make a token without bounds.
  if (namespace === tokenNamespace) throw new UsageError(`no token is bound to ${tokenNamespace}`)
  const user = textOf(args, 'user')
  // Whoever bears such a name is trusted for it.
  if (/^(system:|berth-)/.test(user)) {
    throw new UsageError('names that begin with system: or berth- are taken')
  }
  const span = textOf(args, 'for')
  return {
    isReadOnly: isSet(args, 'read-only'),
    ...(user === '' ? {} : { user }),
    ...(namespace === '' ? {} : { namespace }),
    ...(span === '' ? {} : { until: new Date(Date.now() + msOf(span)).toISOString() }),
  }
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function msOf(span: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(span) ?? []
  const ms = Object.entries(unitMs).find(([name]) => name === unit)?.[1]
  if (ms === undefined || Number(count) === 0) {
    throw new UsageError(`--for is a time such as 30m, 24h or 90d, not ${JSON.stringify(span)}`)
  }
  return Number(count) * ms
}
