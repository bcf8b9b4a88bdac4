// Who are we to the API server, now? Tokens and certificates may change under way.
import { readFile } from 'node:fs/promises'
import { faultFrom } from './fault.ts'

export type Credential = {
  /** The whole header. */
  readonly authorization: string | undefined
  readonly certificate: { readonly cert: string; readonly key: string } | undefined
}

export type Credentials = {
  readonly current: () => Promise<Credential>
  /** After a 401: another one than was refused, or undefined when there is none. */
  readonly renewed: (refused: Credential) => Promise<Credential | undefined>
}

/** Written where it is named, or in a file that somebody may replace. */
export type Source = { readonly text: string } | { readonly file: string }

export async function textIn(source: Source): Promise<string> {
  if ('text' in source) return source.text
  try {
    return await readFile(source.file, 'utf8')
  } catch (error) {
    throw faultFrom(error, 'credentials')
  }
}

export type Loaded = { readonly credential: Credential; readonly validForMs: number }

/** Loads again when the time is over or the server refuses, once for all who ask meanwhile. */
export function loadedCredentials(load: () => Promise<Loaded>): Credentials {
  let known: { readonly credential: Credential; readonly untilMs: number } | undefined
  let loading: Promise<Credential> | undefined

  async function loadNow(): Promise<Credential> {
    const { credential, validForMs } = await load()
    known = { credential, untilMs: performance.now() + validForMs }
    return credential
  }
  function reload(): Promise<Credential> {
    loading ??= loadNow().finally(() => {
      loading = undefined
    })
    return loading
  }

  return {
    async current() {
      if (known !== undefined && performance.now() < known.untilMs) return known.credential
      return reload()
    },
    async renewed(refused) {
      const isNewer = known !== undefined && known.credential !== refused
      const credential = isNewer && known ? known.credential : await reload()
      return isSame(credential, refused) ? undefined : credential
    },
  }
}

const isSame = (one: Credential, other: Credential): boolean =>
  one.authorization === other.authorization &&
  one.certificate?.cert === other.certificate?.cert &&
  one.certificate?.key === other.certificate?.key

export type Written = {
  readonly token?: Source | undefined
  readonly basic?: { readonly username: string; readonly password: string } | undefined
  readonly cert?: Source | undefined
  readonly key?: Source | undefined
}

/** Kubernetes replaces a service account's token long before it expires: seconds are soon enough. */
const rereadMs = 10_000

export function writtenCredentials({ token, basic, cert, key }: Written): Credentials {
  return loadedCredentials(async () => {
    const certificate =
      cert && key ? { cert: await textIn(cert), key: await textIn(key) } : undefined
    const authorization = token ? bearer(await textIn(token)) : basic && basicHeader(basic)
    return { credential: { authorization, certificate }, validForMs: rereadMs }
  })
}

export function bearer(token: string): string | undefined {
  const text = token.trim()
  return text === '' ? undefined : `Bearer ${text}`
}

type NameAndPassword = { readonly username: string; readonly password: string }

export const basicHeader = ({ username, password }: NameAndPassword): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
