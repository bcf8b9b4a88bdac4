// Can BGPPeers be read in both versions while one controller follows the other? MetalLB's writes
// its authority into the definition whenever it runs, whoever converts. So Berth's authority is
// signed by MetalLB's too: what Berth serves is trusted by either.
import { X509Certificate } from 'node:crypto'
import { crossSigned, type KeyPair } from '../../../../edge/host/authority.ts'
import { certificatesIn } from '../../../../edge/host/certificateCheck.ts'
import { ApiError, Fault } from '../../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../../edge/kube/api/resource.ts'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../../edge/kube/kinds.ts'
import type { Workload } from '../metallb.ts'
import { change, listed, readOne, Stopped, type Walk, waitFor } from './walk.ts'

const usualSecret = 'metallb-webhook-cert'
const berthsSecret = 'berth-webhook-cert'
const hourMs = 3_600_000

/** Without an authority that MetalLB made itself there is none that it writes. */
export async function trustedByBoth(walk: Walk, controllers: readonly Workload[]): Promise<void> {
  for (const controller of controllers) {
    const metallbs = await secretOf(walk, secretNameOf(controller))
    const authority = { cert: metallbs('ca.crt'), key: metallbs('ca.key') }
    if (authority.cert === '' || authority.key === '') continue
    const chain = await chainWith(walk, authority)
    if (chain !== undefined) await servedByAll(walk, chain)
  }
}

function secretNameOf({ object }: Workload): string {
  const containers = object.inner('spec').inner('template').inner('spec').each('containers')
  const words = containers.flatMap((one) => one.texts('args'))
  const flag = words.find((word) => /^--?webhook-secret=/.test(word))
  return flag?.replace(/^[^=]*=/, '') ?? usualSecret
}

/** By key, decoded; empty where there is none. */
async function secretOf(walk: Walk, name: string): Promise<(key: string) => string> {
  const secret = await readOne(walk, { kind: 'Secret', name, namespace: walk.namespace })
  return (key) => decoded(secret?.inner('data').text(key) ?? '')
}

const decoded = (text: string): string => Buffer.from(text, 'base64').toString()

/** What Berth serves from now on; undefined where it serves nothing. */
async function chainWith(walk: Walk, authority: KeyPair): Promise<string | undefined> {
  const { namespace } = walk
  const berths = await secretOf(walk, berthsSecret)
  const [leaf, ...others] = certificatesIn(berths('tls.crt'))
  if (leaf === undefined) return untrusted(walk, 'Berth serves no certificate yet')
  const ours = certificatesIn(berths('ca.crt')).find((ca) => isIssuedBy(leaf, ca))
  if (ours === undefined)
    return untrusted(walk, "Berth's certificate is of no authority of its own")
  if (others.some((one) => isIssuedBy(one, authority.cert))) return berths('tls.crt')
  const from = new Date(Date.now() - hourMs)
  const until = new X509Certificate(ours).validToDate
  // Its Secret may hold anything, such as a key that does not belong to it.
  const signed = await crossSigned(ours, authority, { from, until }).catch(() => undefined)
  if (signed === undefined) return untrusted(walk, "MetalLB's authority cannot sign")
  const chain = leaf + signed
  await change(walk, { kind: 'Secret', name: berthsSecret, namespace }, (secret) => {
    const { json } = new Fields(secret['data'], [])
    return { ...secret, data: { ...json, 'tls.crt': Buffer.from(chain).toString('base64') } }
  })
  return chain
}

function isIssuedBy(pem: string, authority: string): boolean {
  try {
    const [cert, ca] = [new X509Certificate(pem), new X509Certificate(authority)]
    return cert.checkIssued(ca) && cert.verify(ca.publicKey)
  } catch {
    return false
  }
}

/** That is no reason to stop. */
function untrusted({ io }: Walk, why: string): undefined {
  io.err(`  ${why}: for some seconds BGPPeers may be readable in one version only\n`)
}

/** A replica looks for a new certificate every 30 s. */
const servedMs = 60_000
const answerMs = 5_000

async function servedByAll(walk: Walk, chain: string): Promise<void> {
  try {
    await waitFor({ ...walk, withinMs: Math.min(walk.withinMs, servedMs) }, async () => {
      for (const pod of await controllerPods(walk)) {
        if ((await servedBy(walk, pod)) !== chain) {
          return `${metaOf(pod).name} does not serve its certificate signed by MetalLB yet`
        }
      }
      return ''
    })
  } catch (error) {
    if (!(error instanceof Stopped) || walk.io.signal.aborted) throw error
    untrusted(walk, error.message)
  }
}

async function controllerPods(walk: Walk): Promise<readonly Fields[]> {
  const pods = await listed(walk, 'Pod', walk.namespace)
  return pods.filter((pod) => {
    const { labels } = metaOf(pod)
    const isOurs = labels['app.kubernetes.io/name'] === 'berth'
    const isEnding = pod.inner('metadata').has('deletionTimestamp')
    return isOurs && labels['app.kubernetes.io/component'] === 'controller' && !isEnding
  })
}

/** Empty where it does not answer yet. */
async function servedBy({ direct, namespace }: Walk, pod: Fields): Promise<string> {
  const ports = pod
    .inner('spec')
    .each('containers')
    .flatMap((one) => one.each('ports'))
  const probes = ports.find((one) => one.text('name') === 'probes')?.number('containerPort')
  const where = `${metaOf(pod).name}:${probes ?? 17_472}`
  const path = `${pathOf(resourceOf('Pod', namespace), where, 'proxy')}/certificate`
  try {
    const answer = await direct.call({ method: 'GET', path, timeoutMs: answerMs })
    return new Fields(answer, []).text('chain')
  } catch (error) {
    // A version that does not tell, or somebody who may not ask: to wait helps neither.
    if (error instanceof ApiError && [403, 404].includes(error.code)) {
      throw new Stopped(`${metaOf(pod).name} does not tell its certificate: ${error.message}`)
    }
    if (error instanceof Fault) return ''
    throw error
  }
}
