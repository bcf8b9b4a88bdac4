// How does somebody else get in? With a token that can be bound to a namespace or only read.
import type { Api } from '../../edge/kube/api/client.ts'
import { isNotFound } from '../../edge/kube/api/notFound.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { metaOf } from '../../edge/kube/decode/decodeMeta.ts'
import { Fields, isRecord } from '../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'
import type { Exit, Io } from '../cli/io.ts'
import { type Arguments, isSet, textOf, UsageError, type Verb } from '../cli/verb.ts'
import { dataOption, folderOf } from './dataOption.ts'
import { kubeconfigOf } from './kubeconfig.ts'
import { type OwnApi, withRunning } from './ownApi.ts'
import { whyNoName } from './tokenName.ts'
import { type Bounds, secretName, tokenNamespace, tokenType } from './tokenSecret.ts'
import { newToken } from './tokens.ts'
import { tokenTable } from './tokenTable.ts'

export const tokenVerb: Verb = {
  name: 'token',
  summary: "create, list or revoke a token for the API of 'berth up'",
  usage: [
    'token [--user NAME] [--namespace NS] [--read-only] [--for DURATION] [-o token|kubeconfig]',
    'token --list',
    'token --remove ID',
  ],
  description: `
Creates a token and prints it. It cannot be printed again: only a hash is stored, in a Secret in
kube-system with the label berth.dev/token. Without options the token has full access. --list shows
the tokens, --remove revokes one.

Exit status: 0 done; 1 'berth up' is not running on that directory, or there is no such token.`,
  examples: [
    'berth token --namespace shop --for 24h',
    'berth token --read-only -o kubeconfig > reader.kubeconfig',
    'berth token --list',
    'berth token --remove 0123456789',
  ],
  options: {
    ...dataOption,
    user: { type: 'string', value: 'NAME', help: 'user name that the token stands for' },
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NS',
      help: 'allow access to this namespace only',
    },
    'read-only': {
      type: 'boolean',
      help: 'allow get, list and watch only, and no access to Secrets',
    },
    for: {
      type: 'string',
      value: 'DURATION',
      help: 'lifetime, such as 30m, 24h or 90d; the default is no limit',
    },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORM',
      choices: ['token', 'kubeconfig'],
      help: 'print the token alone, or a kubeconfig that contains it',
    },
    list: { type: 'boolean', help: 'list the tokens with user, permissions and expiry' },
    remove: {
      type: 'string',
      value: 'ID',
      help: 'revoke the token with this ID; --list shows the IDs',
    },
  },
  async run(args: Arguments, io: Io): Promise<Exit> {
    const work = workOf(args, io)
    return withRunning(folderOf(args, io), io, work)
  },
}

type Work = (own: OwnApi) => Promise<Exit>

/** All that is wrong with the arguments is told before anything is asked. */
function workOf(args: Arguments, io: Io): Work {
  const given = Object.keys(args.values).filter((name) => name !== 'data')
  const alone = given.find((name) => name === 'list' || name === 'remove')
  if (alone !== undefined && given.length > 1)
    throw new UsageError(`--${alone} cannot be combined with other options`)
  if (alone === 'list') return ({ api }) => list(api, io)
  if (alone === 'remove') return removing(textOf(args, 'remove'), io)
  return making(boundsOf(args), textOf(args, 'output'), io)
}

const secrets = resourceOf('Secret', tokenNamespace)

async function list(api: Api, io: Io): Promise<Exit> {
  const query = { labelSelector: tokenType }
  const json = await api.call({ method: 'GET', path: pathOf(secrets), query })
  const items = isRecord(json) && Array.isArray(json['items']) ? json['items'] : []
  io.out(tokenTable(items.filter(isRecord), new Date()))
  return 0
}

function removing(id: string, io: Io): Work {
  if (!/^[0-9a-f]{10}$/.test(id)) {
    throw new UsageError(`--remove takes an ID of 'berth token --list', not ${JSON.stringify(id)}`)
  }
  return async ({ api }) => {
    try {
      await api.call({ method: 'DELETE', path: pathOf(secrets, secretName(id)) })
    } catch (error) {
      if (!isNotFound(error)) throw error
      io.err(`berth: there is no token ${id}\n`)
      return 1
    }
    io.out(`removed: ${id}\n`)
    return 0
  }
}

function making(bounds: Bounds, form: string, io: Io): Work {
  const { namespace } = bounds
  return async ({ api, server, ca }) => {
    const { text, secret } = newToken({ ...bounds, ...(await uidOf(api, namespace)) })
    await api.call({ method: 'POST', path: pathOf(secrets), body: secret })
    const user = { name: 'token', token: text }
    const entry = { server, ca, user, ...(namespace === undefined ? {} : { namespace }) }
    io.out(form === 'kubeconfig' ? kubeconfigOf(entry) : `${text}\n`)
    return 0
  }
}

const namespaces = resourceOf('Namespace')

async function uidOf(
  api: Api,
  namespace: string | undefined,
): Promise<Pick<Bounds, 'namespaceUid'>> {
  if (namespace === undefined) return {}
  const json = await api.call({ method: 'GET', path: pathOf(namespaces, namespace) })
  return { namespaceUid: metaOf(new Fields(json, [])).uid }
}

function boundsOf(args: Arguments): Bounds {
  const namespace = textOf(args, 'namespace')
  // Whoever may write there could make a token without bounds.
  if (namespace === tokenNamespace) throw new UsageError(`no token is bound to ${tokenNamespace}`)
  const user = textOf(args, 'user')
  if (args.values['user'] !== undefined) refuseBadName(user)
  const span = textOf(args, 'for')
  return {
    isReadOnly: isSet(args, 'read-only'),
    ...(user === '' ? {} : { user }),
    ...(namespace === '' ? {} : { namespace }),
    ...(span === '' ? {} : { until: new Date(Date.now() + msOf(span)).toISOString() }),
  }
}

function refuseBadName(user: string): void {
  const why = whyNoName(user)
  if (why !== undefined) throw new UsageError(`--user: the name ${JSON.stringify(user)} ${why}`)
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
