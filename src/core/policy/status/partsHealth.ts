// Do the parts of Berth work that the controller depends on, or that depend on it? The API, the
// webhooks and the speakers; the leader has a line of its own.
import { counted } from '../../net/counted.ts'
import { noReports } from '../announce/noReports.ts'

export type Part = {
  readonly part: 'API' | 'webhooks' | 'speakers'
  /** `unknown`: it may not be read, or is not installed in a way that could be judged. */
  readonly state: 'well' | 'failing' | 'unknown'
  readonly message: string
}

type WebhookFacts = {
  /** The controller has put the certificate of its authority there. */
  readonly hasCertificate: boolean
  /** Controllers that are ready behind the Service that the API calls. */
  readonly servers: number
  /** Changes are refused while nobody answers. */
  readonly isStrict: boolean
}

export function webhookPart(facts: WebhookFacts | undefined): Part {
  const part = 'webhooks'
  if (facts === undefined) {
    return { part, state: 'unknown', message: 'not installed: changes are not checked' }
  }
  const { hasCertificate, servers, isStrict } = facts
  if (hasCertificate && servers > 0) {
    return { part, state: 'well', message: `served by ${counted(servers, 'controller')}` }
  }
  const [why, until] = hasCertificate
    ? ['no controller is ready', 'one is']
    : ['no controller has written its certificate', 'one does']
  const what = isStrict ? 'every change is refused' : 'changes are not checked'
  return { part, state: 'failing', message: `${why}: ${what} until ${until}` }
}

type SpeakerFacts = { readonly ready: number; readonly wanted: number }

/** `reporting`: nodes whose speaker has told its interfaces, however it was started. */
export function speakerPart(facts: SpeakerFacts | undefined, reporting: number): Part {
  const part = 'speakers'
  if (facts === undefined) {
    const message = reporting === 0 ? noReports : `on ${counted(reporting, 'node')}`
    return { part, state: 'unknown', message }
  }
  const { ready, wanted } = facts
  const state = ready < wanted ? 'failing' : 'well'
  return { part, state, message: `${ready} of ${wanted} ready` }
}
