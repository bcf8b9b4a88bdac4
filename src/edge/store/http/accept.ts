// In which form does a client want its answer? The Accept header says; JSON is the only encoding.
import { done, type Outcome, refused } from '../values/status.ts'

const encoding = 'application/json'

/** One alternative of an Accept header. */
export type Clause = {
  readonly media: string
  /** The parameters `as`, `g` and `v`, which ask for another kind such as Table. */
  readonly parameters: ReadonlyMap<string, string>
}

/** The preferred alternative first; without a header, anything. */
export function clausesOf(accept: string | undefined): readonly Clause[] {
  const text = accept === undefined || accept.trim() === '' ? '*/*' : accept
  return text
    .split(',')
    .map(clauseOf)
    .sort((one, other) => weightOf(other) - weightOf(one))
}

function clauseOf(text: string): Clause {
  const [media = '', ...rest] = text.split(';').map((part) => part.trim())
  const parameters = rest.map((part): [string, string] => {
    const [name = '', value = ''] = part.split('=')
    return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')]
  })
  return { media: media.toLowerCase(), parameters: new Map(parameters) }
}

const weightOf = ({ parameters }: Clause): number => {
  const weight = Number(parameters.get('q') ?? 1)
  return Number.isFinite(weight) ? weight : 1
}

export const isJson = ({ media }: Clause): boolean =>
  media === encoding || media === 'application/*' || media === '*/*'

const shapes = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const
export type Form =
  | { readonly as: 'object' }
  | {
      readonly as: (typeof shapes)[number]
      /** Of the group meta.k8s.io. */
      readonly version: 'v1' | 'v1beta1'
    }

/** The first alternative that is supported; what is not stored has no form but its own. */
export function formOf(
  accept: string | undefined,
  among: readonly Form['as'][] = ['object', ...shapes],
): Outcome<Form> {
  for (const clause of clausesOf(accept).filter(isJson)) {
    const form = shapeOf(clause)
    if (form !== undefined && among.includes(form.as)) return done(form)
  }
  const message = `only the following media types are accepted: ${encoding}`
  return refused({ code: 406, reason: 'NotAcceptable', message })
}

function shapeOf({ parameters }: Clause): Form | undefined {
  const asked = parameters.get('as')
  if (asked === undefined) return { as: 'object' }
  const version = parameters.get('v')
  const as = shapes.find((shape) => shape === asked)
  if (as === undefined || parameters.get('g') !== 'meta.k8s.io') return undefined
  return version === 'v1' || version === 'v1beta1' ? { as, version } : undefined
}
