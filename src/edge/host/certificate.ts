// How is a serving certificate made? With an authority of its own, whose key is thrown away at
// once: nothing else can ever be signed by it. ECDSA P-256, RFC 5280.
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'

/** All PEM. */
export type Certificate = {
  readonly cert: string
  readonly key: string
  /** The authority that signed it. */
  readonly ca: string
}

export type CertificateWish = {
  /** DNS names and addresses that it is good for. */
  readonly names: readonly string[]
  readonly from: Date
  readonly until: Date
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' }
const signing = { ...curve, hash: 'SHA-256' }

export async function newCertificate({
  names,
  from,
  until,
}: CertificateWish): Promise<Certificate> {
  const x509 = await loadX509()
  const { X509CertificateGenerator: Generator, KeyUsageFlags: Usage } = x509
  const [authority, server] = [await newKeys(), await newKeys()]
  const span = { notBefore: from, notAfter: until, signingAlgorithm: signing }
  const caName = 'CN=berth-ca'
  const ca = await Generator.createSelfSigned({
    ...span,
    serialNumber: newSerial(),
    name: caName,
    keys: authority,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(Usage.keyCertSign | Usage.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authority.publicKey),
    ],
  })
  const cert = await Generator.create({
    ...span,
    serialNumber: newSerial(),
    // A name may be longer than a subject can be; clients look at the alternatives only.
    subject: 'CN=berth',
    issuer: caName,
    publicKey: server.publicKey,
    signingKey: authority.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(Usage.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names.map(alternative)),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(server.publicKey),
    ],
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', server.privateKey)
  const key = x509.PemConverter.encode(pkcs8, x509.PemConverter.PrivateKeyTag)
  const [certPem, caPem] = [cert.toString('pem'), ca.toString('pem')]
  return { cert: `${certPem}\n`, key: `${key}\n`, ca: `${caPem}\n` }
}

/** Takes 20 MB and a sixth of a second: only for who makes one, once in a year. */
async function loadX509() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

const newKeys = () => crypto.subtle.generateKey(curve, true, ['sign', 'verify'])

/** Positive and never zero, at most 20 bytes. */
const newSerial = (): string => `01${randomBytes(16).toString('hex')}`

const alternative = (name: string) =>
  ({ type: isIP(name) === 0 ? 'dns' : 'ip', value: name }) as const
