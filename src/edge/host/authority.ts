// How are certificates issued? A certificate authority signs them for servers and clients: ECDSA
// P-256, RFC 5280, with user and group names as Kubernetes reads them (CN and O).
import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'

/** Both in PEM. */
export type KeyPair = { readonly cert: string; readonly key: string }

export type Span = { readonly from: Date; readonly until: Date }

export type Subject =
  /** The DNS names and IP addresses it is valid for. */
  | { readonly names: readonly string[] }
  | { readonly user: string; readonly groups: readonly string[] }

const curve = { name: 'ECDSA', namedCurve: 'P-256' }
const signing = { ...curve, hash: 'SHA-256' }
const rsaSigning = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
type Algorithm = { readonly name: string; readonly hash: string; readonly namedCurve?: string }

export async function newAuthority({ from, until }: Span): Promise<KeyPair> {
  const x509 = await loadX509()
  const { X509CertificateGenerator: Generator, KeyUsageFlags: Usage } = x509
  const serialNumber = newSerial()
  const keys = await newKeys()
  const cert = await Generator.createSelfSigned({
    notBefore: from,
    notAfter: until,
    signingAlgorithm: signing,
    serialNumber,
    // Unique, so that an authority is not confused with its successor.
    name: `CN=berth-ca-${serialNumber.slice(-8)}`,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(Usage.keyCertSign | Usage.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { cert: `${cert.toString('pem')}\n`, key: await pemOf(keys.privateKey) }
}

export async function issue(authority: KeyPair, subject: Subject, span: Span): Promise<KeyPair> {
  const x509 = await loadX509()
  const { X509CertificateGenerator: Generator, KeyUsageFlags: Usage } = x509
  const issuer = new x509.X509Certificate(authority.cert)
  const keys = await newKeys()
  const isServer = 'names' in subject
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage
  const cert = await Generator.create({
    notBefore: span.from,
    notAfter: span.until,
    signingAlgorithm: signing,
    serialNumber: newSerial(),
    // A name may be too long for a subject; clients check only the alternative names.
    subject: isServer
      ? 'CN=berth'
      : [{ CN: [subject.user] }, ...subject.groups.map((group) => ({ O: [group] }))],
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await signingKey(authority),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(Usage.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([isServer ? serverAuth : clientAuth]),
      ...(isServer
        ? [new x509.SubjectAlternativeNameExtension(subject.names.map(alternative))]
        : []),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { cert: `${cert.toString('pem')}\n`, key: await pemOf(keys.privateKey) }
}

/**
 * Another authority's certificate, signed by this one: with it in the chain, what that one has
 * issued is trusted by whoever trusts this one. PEM.
 */
export async function crossSigned(other: string, by: KeyPair, span: Span): Promise<string> {
  const x509 = await loadX509()
  const { X509CertificateGenerator: Generator, KeyUsageFlags: Usage } = x509
  const [subject, issuer] = [new x509.X509Certificate(other), new x509.X509Certificate(by.cert)]
  const publicKey = await subject.publicKey.export()
  const isRsa = createPrivateKey(by.key).asymmetricKeyType === 'rsa'
  const signingAlgorithm: Algorithm = isRsa ? rsaSigning : signing
  const cert = await Generator.create({
    notBefore: span.from,
    notAfter: span.until,
    signingAlgorithm,
    serialNumber: newSerial(),
    // As they are encoded: chains are found by the bytes of names.
    subject: subject.subjectName,
    issuer: issuer.subjectName,
    publicKey,
    signingKey: await signingKey(by, signingAlgorithm),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(Usage.keyCertSign | Usage.cRLSign, true),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
    ],
  })
  return `${cert.toString('pem')}\n`
}

/**
 * Takes 20 MB and a sixth of a second, so it is loaded only to issue a certificate, once a year.
 */
async function loadX509() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

const newKeys = () => crypto.subtle.generateKey(curve, true, ['sign', 'verify'])

/** Whatever form the key is written in. */
function signingKey(
  { key }: KeyPair,
  algorithm: Algorithm = signing,
): Promise<webcrypto.CryptoKey> {
  const pkcs8 = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' })
  return webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const { PemConverter } = await loadX509()
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', key)
  return `${PemConverter.encode(pkcs8, PemConverter.PrivateKeyTag)}\n`
}

/** Positive, never zero, at most 20 bytes. */
const newSerial = (): string => `01${randomBytes(16).toString('hex')}`

const alternative = (name: string) =>
  ({ type: isIP(name) === 0 ? 'dns' : 'ip', value: name }) as const
