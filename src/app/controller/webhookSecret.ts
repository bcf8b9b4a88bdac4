// Which certificate do all replicas serve? The one in the Secret; whoever first finds none, or one
// that ends soon, makes it, and the API server lets only one succeed.
import { type Certificate, newCertificate } from '../../edge/host/certificate.ts'
import { certificatesIn, goodUntil, hasEnded } from '../../edge/host/certificateCheck.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { ifThere } from '../../edge/kube/api/notFound.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { resourceOf, typeOf } from '../../edge/kube/kinds.ts'
import { untilInTime } from '../../edge/kube/write/race.ts'

const secretName = 'berth-webhook-cert'

type SecretParts = {
  readonly api: Api
  readonly namespace: string
  /** That the API server calls us by. */
  readonly names: readonly string[]
  readonly now: () => Date
}

const dayMs = 24 * 3_600_000
const [lifeMs, renewMs] = [365 * dayMs, 30 * dayMs]
/** Clocks of other machines may be behind ours. */
const skewMs = 3_600_000
/** More than one only until the earlier one has ended. */
const maxAuthorities = 4

export const agreedCertificate = (parts: SecretParts): Promise<Certificate> =>
  untilInTime(async () => {
    const secret = await readSecret(parts)
    const found = certificateIn(secret)
    if (!isDue(parts, found)) return found
    const made = await successor(parts, found)
    await writeSecret(parts, secret, made)
    return made
  })

function isDue({ names, now }: SecretParts, found: Certificate): boolean {
  const until = goodUntil(found, names)
  return until === undefined || until.getTime() - now().getTime() < renewMs
}

/** Its bundle still holds the earlier authorities: a replica may go on with their certificates. */
async function successor({ names, now }: SecretParts, found: Certificate): Promise<Certificate> {
  const at = now()
  const [from, until] = [new Date(at.getTime() - skewMs), new Date(at.getTime() + lifeMs)]
  const made = await newCertificate({ names, from, until })
  const earlier = certificatesIn(found.ca).filter((ca) => !hasEnded(ca, at))
  const ca = [made.ca, ...earlier].slice(0, maxAuthorities).join('')
  return { ...made, ca }
}

const secrets = resourceOf('Secret')

async function readSecret({ api, namespace }: SecretParts): Promise<Fields | undefined> {
  const path = pathOf({ ...secrets, namespace }, secretName)
  const json = await ifThere(api.call({ method: 'GET', path }))
  return json === undefined ? undefined : new Fields(json, [])
}

/** An install may ship the Secret empty, so that nobody needs the right to create Secrets. */
async function writeSecret(
  { api, namespace }: SecretParts,
  secret: Fields | undefined,
  { cert, key, ca }: Certificate,
): Promise<void> {
  const data = { 'tls.crt': encoded(cert), 'tls.key': encoded(key), 'ca.crt': encoded(ca) }
  if (secret === undefined) {
    const labels = { 'app.kubernetes.io/managed-by': 'berth' }
    const metadata = { name: secretName, namespace, labels }
    const path = pathOf({ ...secrets, namespace })
    const body = { ...typeOf('Secret'), type: 'kubernetes.io/tls', metadata, data }
    await api.call({ method: 'POST', path, body })
    return
  }
  const [uid, resourceVersion] = ['uid', 'resourceVersion'].map((name) =>
    secret.inner('metadata').text(name),
  )
  await api.call({
    method: 'PATCH',
    path: pathOf({ ...secrets, namespace }, secretName),
    contentType: 'application/merge-patch+json',
    body: { metadata: { uid, resourceVersion }, data },
  })
}

function certificateIn(secret: Fields | undefined): Certificate {
  const data = secret?.inner('data')
  const decoded = (name: string) => Buffer.from(data?.text(name) ?? '', 'base64').toString()
  return { cert: decoded('tls.crt'), key: decoded('tls.key'), ca: decoded('ca.crt') }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64')
