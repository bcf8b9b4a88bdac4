// With which certificate are metrics served? With the one in a folder, read anew each time; without
// a folder with one of this process alone, for localhost: nobody can verify it, as in MetalLB.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Certificate, newCertificate } from './certificate.ts'
import { tlsTerms } from './tlsTerms.ts'

type Serving = typeof tlsTerms & Pick<Certificate, 'cert' | 'key'>

const names = ['localhost', '127.0.0.1', '::1']
/** Longer than any process runs: nobody renews it. */
const days = 3_650
const dayMs = 86_400_000

export function metricsCertificate(folder: string | undefined): () => Promise<Serving> {
  if (folder !== undefined) {
    return async () => {
      const read = (name: string) => readFile(join(folder, name), 'utf8')
      return { ...tlsTerms, cert: await read('tls.crt'), key: await read('tls.key') }
    }
  }
  let made: Promise<Serving> | undefined
  return () => {
    made ??= selfMade()
    return made
  }
}

async function selfMade(): Promise<Serving> {
  const now = Date.now()
  const [from, until] = [new Date(now - dayMs), new Date(now + days * dayMs)]
  const { cert, key } = await newCertificate({ names, from, until })
  return { ...tlsTerms, cert, key }
}
