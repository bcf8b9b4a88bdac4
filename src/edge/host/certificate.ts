// How is a serving certificate made? By a certificate authority of its own, whose key is discarded
// at once, so that nothing else can ever be signed with it.
import { issue, type KeyPair, newAuthority, type Span } from './authority.ts'

/** All in PEM. */
export type Certificate = KeyPair & {
  /** The certificate of the authority that signed it. */
  readonly ca: string
}

type CertificateOptions = Span & {
  /** The DNS names and IP addresses it is valid for. */
  readonly names: readonly string[]
}

export async function newCertificate({ names, ...span }: CertificateOptions): Promise<Certificate> {
  const authority = await newAuthority(span)
  return { ...(await issue(authority, { names }, span)), ca: authority.cert }
}
