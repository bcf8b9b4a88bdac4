// Which question is answered under which path? MetalLB's paths (M4.3), and ours for our own kinds,
// each alone or all together.
import type { Reply } from '../../edge/host/tlsServer.ts'
import { convertReview } from '../../edge/kube/convert/convertReview.ts'
import { type KindRow, kinds, rowOf } from '../../edge/kube/kinds.ts'
import { parsed } from './webhookBody.ts'
import { type CompleteNew, reviewCompletion, reviewNew } from './webhookComplete.ts'
import { type Reviewer, reviewAdmission } from './webhookReview.ts'

const validated = kinds.filter(({ webhook }) => webhook !== undefined)
const nameOf = ({ group, kind }: KindRow): string => `${group}/${kind}`

const kindsByPath: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...validated.map((row) => [pathOf(row), [nameOf(row)]] as const),
  ['/validate', validated.filter(({ group }) => group === 'berth.dev').map(nameOf)],
])

/** As kubebuilder names it, and so MetalLB. */
function pathOf({ group, version, kind }: KindRow, verb = 'validate'): string {
  return `/${verb}-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`
}

type Answer = (body: Buffer) => Reply

/** Some thousand peers; whoever lists more does it in pages, as kubectl does. */
const mostConvertedBytes = 1024 * 1024

export function webhookRoutes(reviewer: Reviewer): ReadonlyMap<string, Answer> {
  const admissions = [...kindsByPath].map(([path, kinds]): [string, Answer] => {
    const known = new Set(kinds)
    const what = `an AdmissionReview of admission.k8s.io/v1 about ${kinds.join(' or ')}`
    return [path, (body) => replyWith(reviewAdmission(body, known, reviewer), what)]
  })
  const conversion: Answer = (body) =>
    replyWith(
      convertReview(parsed(body, mostConvertedBytes)),
      'a ConversionReview of apiextensions.k8s.io/v1, of at most 1 MiB,',
    )
  const completions = kinds
    .filter(({ isCompleted }) => isCompleted)
    .map((row): [string, Answer] => {
      const known = new Set([nameOf(row)])
      const what = `an AdmissionReview of admission.k8s.io/v1 about ${nameOf(row)}`
      return [pathOf(row, 'mutate'), (body) => replyWith(reviewCompletion(body, known), what)]
    })
  return new Map([...admissions, ...completions, ['/convert', conversion]])
}

/** What is about to be made; the answer may take a while. */
export function completionRoutes(complete: CompleteNew) {
  const pods = rowOf('Pod')
  const what = 'an AdmissionReview of admission.k8s.io/v1 about new Pods'
  const answer = async (body: Buffer): Promise<Reply> =>
    replyWith(await reviewNew(body, nameOf(pods), complete), what)
  return new Map([[pathOf(pods, 'mutate'), answer]])
}

/** A question for somebody else refuses nothing: what then happens, the API server decides. */
const replyWith = (json: unknown, what: string): Reply =>
  json === undefined
    ? { status: 400, json: { message: `only ${what} is answered here` } }
    : { status: 200, json }
