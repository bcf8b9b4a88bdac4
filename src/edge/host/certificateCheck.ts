// Can this certificate be served, and until when? Its parts must match and it must carry our names.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Certificate } from './certificate.ts'

/** The time of expiry; undefined if it cannot be served under these names. */
export function goodUntil(certificate: Certificate, names: readonly string[]): Date | undefined {
  try {
    const cert = new X509Certificate(certificate.cert)
    const cas = certificatesIn(certificate.ca).map((pem) => new X509Certificate(pem))
    const isNamed = names.every((name) =>
      isIP(name) === 0 ? cert.checkHost(name, hostRules) : cert.checkIP(name),
    )
    const isOurKey = cert.checkPrivateKey(createPrivateKey(certificate.key))
    const isSigned = cas.some((ca) => cert.checkIssued(ca) && cert.verify(ca.publicKey))
    return isNamed && isOurKey && isSigned ? cert.validToDate : undefined
  } catch {
    return undefined
  }
}

const hostRules = { subject: 'never', wildcards: false } as const

/** Splits a PEM bundle into its certificates. */
export const certificatesIn = (pem: string): readonly string[] =>
  [...pem.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)].map(
    ([text]) => `${text}\n`,
  )

/** An unreadable certificate counts as expired. */
export function hasEnded(pem: string, at: Date): boolean {
  try {
    return new X509Certificate(pem).validToDate <= at
  } catch {
    return true
  }
}
