// Which certificates does a test present? Made by openssl when the test runs, good for a day.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Authority = { readonly folder: string; readonly certFile: string }
export type Pair = { readonly certFile: string; readonly keyFile: string }

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

const openssl = (folder: string, ...args: readonly string[]): void => {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
}

export function newAuthority(folder: string): Authority {
  const files = ['-keyout', 'ca.key', '-out', 'ca.crt']
  openssl(folder, 'req', '-x509', ...newKey, ...files, '-days', '1', '-subj', '/CN=test-ca')
  return { folder, certFile: join(folder, 'ca.crt') }
}

/** For a client the subject says who it is (`/O=group/CN=user`), for a server the names count. */
export function issue({ folder }: Authority, name: string, subject: string, names = ''): Pair {
  const request = ['-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject]
  openssl(folder, 'req', '-new', ...newKey, ...request)
  writeFileSync(join(folder, `${name}.ext`), names === '' ? '' : `subjectAltName=${names}\n`)
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-out', `${name}.crt`]
  const extensions = ['-extfile', `${name}.ext`]
  openssl(folder, 'x509', '-req', '-in', `${name}.csr`, ...signed, '-days', '1', ...extensions)
  return { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) }
}

export const base64Of = (file: string): string => readFileSync(file).toString('base64')
