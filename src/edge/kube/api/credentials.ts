// Which credential do we use now? Tokens and certificates can change at any time.
import { basicHeader, bearer, type NameAndPassword } from './authorization.ts'
import { type Source, textIn } from './source.ts'

export type Credential = {
  /** The whole header. */
  readonly authorization: string | undefined
  readonly certificate: { readonly cert: string; readonly key: string } | undefined
}

export type Credentials = {
  readonly current: () => Promise<Credential>
  /** After a 401: a credential other than the refused one, or undefined if there is none. */
  readonly renewed: (refused: Credential) => Promise<Credential | undefined>
}

export type Loaded = { readonly credential: Credential; readonly validForMs: number }

/** Loads again on expiry or refusal, once for all concurrent requests. */
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

type Written = {
  readonly token?: Source | undefined
  readonly basic?: NameAndPassword | undefined
  readonly cert?: Source | undefined
  readonly key?: Source | undefined
}

/** Kubernetes replaces a token long before it expires, so this is soon enough. */
const rereadMs = 10_000

export function writtenCredentials({ token, basic, cert, key }: Written): Credentials {
  return loadedCredentials(async () => {
    const certificate =
      cert && key ? { cert: await textIn(cert), key: await textIn(key) } : undefined
    const authorization = token ? bearer(await textIn(token)) : basic && basicHeader(basic)
    return { credential: { authorization, certificate }, validForMs: rereadMs }
  })
}
