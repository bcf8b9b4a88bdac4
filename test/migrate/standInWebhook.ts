// How does the stand-in of MetalLB's controller convert BGPPeers? With an authority of its own in a
// Secret, which it writes into the definition whenever another one is there, whoever converts; it
// listens a while after that, long after its pod counts as ready.
import { createServer } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { issue, type KeyPair, type Span } from '../../src/edge/host/authority.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { convertReview } from '../../src/edge/kube/convert/convertReview.ts'

const listensAfterMs = 2_000
const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/bgppeers.metallb.io'
const dayMs = 86_400_000

type Data = Readonly<Record<string, string>>
type Definition = {
  readonly spec: {
    readonly conversion: {
      readonly webhook: { readonly clientConfig: Record<string, unknown> & { caBundle?: string } }
    }
  }
}

export async function standInWebhook(api: Api, namespace: string): Promise<() => Promise<void>> {
  const data = await secretOf(api, namespace)
  const inject = async (): Promise<void> => {
    const crd = (await api.call({ method: 'GET', path: definition })) as Definition
    const { clientConfig } = crd.spec.conversion.webhook
    if (clientConfig.caBundle === data['ca.crt']) return
    clientConfig.caBundle = data['ca.crt'] ?? ''
    await api.call({ method: 'PUT', path: definition, body: crd })
  }
  await inject()
  void sleep(listensAfterMs).then(() => listen(data))
  return inject
}

async function secretOf(api: Api, namespace: string): Promise<Data> {
  const path = `/api/v1/namespaces/${namespace}/secrets`
  const name = 'metallb-webhook-cert'
  const found = (await api
    .call({ method: 'GET', path: `${path}/${name}` })
    .catch(() => undefined)) as { readonly data?: Data } | undefined
  if (found?.data !== undefined) return found.data
  const span = { from: new Date(Date.now() - dayMs), until: new Date(Date.now() + dayMs) }
  const ca = await metallbsAuthority(span)
  const names = [`metallb-webhook-service.${namespace}.svc`]
  const own = await issue(ca, { names }, span)
  const pems = { 'ca.crt': ca.cert, 'ca.key': ca.key, 'tls.crt': own.cert, 'tls.key': own.key }
  const data = Object.fromEntries(
    Object.entries(pems).map(([key, pem]) => [key, Buffer.from(pem).toString('base64')]),
  )
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data }
  await api.call({ method: 'POST', path, body })
  return data
}

/** As MetalLB makes its own: it may sign other authorities. */
async function metallbsAuthority({ from, until }: Span): Promise<KeyPair> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { digitalSignature, keyCertSign } = x509.KeyUsageFlags
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ notBefore: from, notAfter: until, name: 'O=metallb, CN=cert', keys },
    ...{ signingAlgorithm: algorithm, serialNumber: '01' },
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature | keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  const key = x509.PemConverter.encode(pkcs8, x509.PemConverter.PrivateKeyTag)
  return { cert: `${cert.toString('pem')}\n`, key: `${key}\n` }
}

function listen(data: Data): void {
  const pem = (key: string) => Buffer.from(data[key] ?? '', 'base64')
  createServer({ cert: pem('tls.crt'), key: pem('tls.key') }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const answer = text === '' ? undefined : convertReview(JSON.parse(text))
      response.writeHead(answer === undefined ? 400 : 200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(answer ?? {}))
    })
  }).listen(9443)
}
