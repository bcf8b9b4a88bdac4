// The embedded API as `berth up` serves it, for attempts over the wire.
import { type RequestOptions, request } from 'node:https'
import { onTestFinished } from 'vitest'
import { type Keys, renewed, trustOf } from '../../src/app/up/keys.ts'
import { startStore } from '../../src/app/up/startStore.ts'
import { settings } from '../../src/app/up/startUp.ts'
import type { Bounds } from '../../src/app/up/tokenSecret.ts'
import { newToken } from '../../src/app/up/tokens.ts'
import { Fields } from '../../src/edge/kube/decode/fields.ts'
import { Objects } from '../../src/edge/store/storage/objects.ts'
import { newFolder } from '../build/newFolder.ts'

/** What is shown: a pair of the keys, or a token. */
export type Shown = {
  readonly pair?: keyof Pick<Keys, 'admin' | 'controller'>
  readonly token?: string
}
export type Asked = Shown & {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
export type Answer = { readonly code: number; readonly json: unknown }
export type Ask = (asked: Asked) => Promise<Answer>

const keys = await renewed(undefined, ['127.0.0.1'], new Date())
const secretsPath = '/api/v1/namespaces/kube-system/secrets'

export async function upStand(): Promise<{
  readonly folder: string
  readonly port: number
  readonly ca: string
  readonly ask: Ask
  /** A token that `berth token` made. */
  readonly token: (bounds: Bounds) => Promise<string>
  readonly uidOf: (namespace: string) => Promise<string>
}> {
  const folder = newFolder()
  const objects = Objects.open(folder)
  const options = { listen: '127.0.0.1', port: 0, keys, settings, build: 'test' }
  const store = await startStore({ ...options, objects, failed: () => undefined })
  onTestFinished(() => store.close())
  const ca = trustOf(keys)
  const ask: Ask = (asked) => answerTo(asked, { host: '127.0.0.1', port: store.port, ca })
  await ask({
    ...{ pair: 'admin', method: 'POST', path: '/api/v1/namespaces' },
    body: { metadata: { name: 'kube-system' } },
  })
  return {
    ...{ folder, port: store.port, ca, ask },
    async token(bounds) {
      const { text, secret } = newToken(bounds)
      const made = { pair: 'admin', method: 'POST', path: secretsPath, body: secret } as const
      const { code } = await ask(made)
      if (code !== 201) throw new Error(`a token was answered with ${code}`)
      return text
    },
    async uidOf(namespace) {
      const { json } = await ask({ pair: 'admin', path: `/api/v1/namespaces/${namespace}` })
      return new Fields(json, []).inner('metadata').text('uid')
    },
  }
}

function answerTo(
  { pair, token, method = 'GET', path, body, headers = {} }: Asked,
  at: RequestOptions,
) {
  const shown = pair === undefined ? {} : keys[pair]
  const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const sent = { 'Content-Type': 'application/json', ...bearer, ...headers }
  return new Promise<Answer>((resolve, reject) => {
    const options = { ...at, ...shown, method, path, headers: sent, agent: false } as const
    const asking = request(options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const isJson = response.headers['content-type']?.includes('json') === true
        resolve({ code: response.statusCode ?? 0, json: isJson ? JSON.parse(text) : text })
      })
    })
    asking.on('error', reject)
    asking.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
