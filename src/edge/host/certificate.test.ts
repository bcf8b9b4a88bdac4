import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { crossSigned } from './authority.ts'
import { newCertificate } from './certificate.ts'
import { certificatesIn, goodUntil, hasEnded } from './certificateCheck.ts'

const names = ['berth-webhook-service.metallb-system.svc', '127.0.0.1']
const [from, until] = [new Date('2026-01-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z')]
const made = await newCertificate({ names, from, until })
const other = await newCertificate({ names, from, until })

const folder = mkdtempSync(join(tmpdir(), 'berth-certificate-'))
afterAll(() => rmSync(folder, { recursive: true }))
for (const [name, pem] of Object.entries({ ...made, other: other.ca })) {
  writeFileSync(join(folder, `${name}.pem`), pem)
}
/** With BERTH_REQUIRE_ALL=1, a missing openssl fails the test instead of skipping it. */
const mayLeaveOut = process.env['BERTH_REQUIRE_ALL'] !== '1'
const hasOpenssl = !mayLeaveOut || spawnSync('openssl', ['version']).status === 0
const openssl = (...args: readonly string[]): string =>
  execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

const during = String(Date.parse('2026-06-01T00:00:00Z') / 1000)
const verify = (ca: string, ...more: readonly string[]) => {
  const rules = ['-x509_strict', '-purpose', 'sslserver', '-attime', during, ...more]
  return openssl('verify', ...rules, '-CAfile', `${ca}.pem`, 'cert.pem').trim()
}

test.skipIf(!hasOpenssl)('openssl verifies the chain, for the given names only', () => {
  const [dns = '', ip = ''] = names
  expect(verify('ca', '-verify_hostname', dns)).toBe('cert.pem: OK')
  expect(verify('ca', '-verify_ip', ip)).toBe('cert.pem: OK')
  expect(() => verify('ca', '-verify_hostname', 'other.svc')).toThrow('hostname mismatch')
  expect(() => verify('other')).toThrow('unable to get local issuer certificate')
})

test.skipIf(!hasOpenssl)('openssl reads ECDSA P-256, key usage, validity and key', () => {
  const text = openssl('x509', '-in', 'cert.pem', '-noout', '-text')
  for (const words of [
    'ecdsa-with-SHA256',
    'NIST CURVE: P-256',
    'CA:FALSE',
    'TLS Web Server Authentication',
    'Not Before: Jan  1 00:00:00 2026 GMT',
    'Not After : Jan  1 00:00:00 2027 GMT',
  ]) {
    expect(text).toContain(words)
  }
  expect(openssl('x509', '-in', 'ca.pem', '-noout', '-text')).toContain('CA:TRUE, pathlen:0')
  const publicKey = openssl('x509', '-in', 'cert.pem', '-noout', '-pubkey')
  expect(openssl('pkey', '-in', 'key.pem', '-pubout')).toBe(publicKey)
})

test.skipIf(!hasOpenssl)(
  'signed by another authority as well, it is trusted by either',
  async () => {
    // As MetalLB's controller makes one: RSA, with an organization.
    const subject = ['-subj', '/O=metallb/CN=cert', '-days', '30', '-nodes', '-newkey', 'rsa:2048']
    const uses = ['-addext', 'keyUsage=critical,keyCertSign,digitalSignature']
    openssl('req', '-x509', ...subject, ...uses, '-keyout', 'rsa-key.pem', '-out', 'rsa.pem')
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    const by = { cert: read('rsa.pem'), key: read('rsa-key.pem') }
    const span = { from: new Date(Date.now() - 1_000), until: new Date(Date.now() + 86_400_000) }
    const fresh = await newCertificate({ names, ...span })
    const files = {
      fresh: fresh.cert,
      'fresh-ca': fresh.ca,
      cross: await crossSigned(fresh.ca, by, span),
    }
    for (const [name, pem] of Object.entries(files)) writeFileSync(join(folder, `${name}.pem`), pem)
    const trusted = (ca: string, ...more: readonly string[]) =>
      openssl('verify', '-purpose', 'sslserver', '-CAfile', ca, ...more, 'fresh.pem').trim()
    expect(trusted('rsa.pem', '-untrusted', 'cross.pem')).toBe('fresh.pem: OK')
    expect(trusted('fresh-ca.pem', '-untrusted', 'cross.pem')).toBe('fresh.pem: OK')
    expect(() => trusted('rsa.pem')).toThrow('unable to get local issuer certificate')
  },
)

test('a matching key pair with our names is valid until it expires', () => {
  expect(goodUntil(made, names)).toEqual(until)
  expect(goodUntil({ ...made, ca: other.ca + made.ca }, names)).toEqual(until)
})

const bad = {
  'another name': { certificate: made, wanted: ['other.svc'] },
  'another address': { certificate: made, wanted: ['127.0.0.2'] },
  "another certificate's key": { certificate: { ...made, key: other.key }, wanted: names },
  'another authority': { certificate: { ...made, ca: other.ca }, wanted: names },
  'no authority': { certificate: { ...made, ca: '' }, wanted: names },
  'no certificate': { certificate: { ...made, cert: 'x' }, wanted: names },
}
test.each(Object.entries(bad))('%s is refused', (_, { certificate, wanted }) => {
  expect(goodUntil(certificate, wanted)).toBeUndefined()
})

test('a bundle is split into certificates; an unreadable one counts as expired', () => {
  expect(certificatesIn(`${made.ca}\n${other.ca}`)).toEqual([made.ca, other.ca])
  expect(hasEnded(made.ca, from)).toBe(false)
  expect(hasEnded(made.ca, until)).toBe(true)
  expect(hasEnded('x', from)).toBe(true)
})
