// How is a serving certificate made? With an authority of its own, whose key is thrown away at
// once: nothing else can ever be signed by it.
import { issue, type KeyPair, newAuthority, type Span } from './authority.ts'

/** All PEM. */
export type Certificate = KeyPair & {
  /** The authority that signed it. */
  readonly ca: string
}

type CertificateWish = Span & {
  /** DNS names and addresses that it is good for. */
  readonly names: readonly string[]
}

export async function newCertificate({ names, ...span }: CertificateWish): Promise<Certificate> {
  const authority = await newAuthority(span)
  return { ...(await issue(authority, { names }, span)), ca: authority.cert }
}
