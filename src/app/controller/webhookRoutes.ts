// Which question is answered under which path? MetalLB's paths (M4.3), and ours for our own kinds,
// each alone or all together.
import type { Reply } from '../../edge/host/tlsServer.ts'
import { convertReview } from '../../edge/kube/convert/convertReview.ts'
import { type Judge, reviewAdmission } from './webhookReview.ts'

const judged: ReadonlyMap<string, readonly string[]> = new Map([
  ['/validate-metallb-io-v1beta1-ipaddresspool', ['metallb.io/IPAddressPool']],
  ['/validate-metallb-io-v1beta1-l2advertisement', ['metallb.io/L2Advertisement']],
  ['/validate-metallb-io-v1beta1-bgpadvertisement', ['metallb.io/BGPAdvertisement']],
  ['/validate-metallb-io-v1beta2-bgppeer', ['metallb.io/BGPPeer']],
  ['/validate-metallb-io-v1beta1-community', ['metallb.io/Community']],
  ['/validate-metallb-io-v1beta1-bfdprofile', ['metallb.io/BFDProfile']],
  ['/validate-berth-dev-v1alpha1-address', ['berth.dev/Address']],
  ['/validate-berth-dev-v1alpha1-tenant', ['berth.dev/Tenant']],
  ['/validate', ['berth.dev/Address', 'berth.dev/Tenant']],
])

type Answer = (json: unknown) => Reply

export function webhookRoutes(judge: Judge): ReadonlyMap<string, Answer> {
  const admissions = [...judged].map(([path, kinds]): [string, Answer] => {
    const known = new Set(kinds)
    const what = `an AdmissionReview of admission.k8s.io/v1 about ${kinds.join(' or ')}`
    return [path, (json) => replyWith(reviewAdmission(json, known, judge), what)]
  })
  const conversion: Answer = (json) =>
    replyWith(convertReview(json), 'a ConversionReview of apiextensions.k8s.io/v1')
  return new Map([...admissions, ['/convert', conversion]])
}

/** A question for somebody else refuses nothing: what then happens, the API server decides. */
const replyWith = (json: unknown, what: string): Reply =>
  json === undefined
    ? { status: 400, json: { message: `only ${what} is answered here` } }
    : { status: 200, json }
