// Does MetalLB's webhook answer, so that the definition of BGPPeers may name it? Its pod counts as
// ready before its webhooks listen.
import { ApiError } from '../../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../../edge/kube/api/resource.ts'
import type { Fields } from '../../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../../edge/kube/kinds.ts'
import { type Walk, waitFor } from './walk.ts'

const answerMs = 5_000

/** Through the API server, which reaches it as it will for a conversion. */
export function converterAnswers(walk: Walk, conversion: Fields): Promise<void> {
  const client = conversion.inner('webhook').inner('clientConfig')
  const service = client.inner('service')
  const [name, namespace] = [service.text('name'), service.text('namespace')]
  const port = service.number('port') ?? 443
  const proxied = pathOf(resourceOf('Service', namespace), `https:${name}:${port}`, 'proxy')
  const path = `${proxied}${service.text('path')}`
  return waitFor(walk, async () => {
    if (name === '') return ''
    const why = await walk.direct
      .call({ method: 'GET', path, answer: 'none', timeoutMs: answerMs })
      .then(() => '', whySilent)
    return why === '' ? '' : `MetalLB's webhook ${namespace}/${name} ${why}`
  })
}

/** Any answer of its own will do, such as that this is no question that it understands. */
function whySilent(error: unknown): string {
  if (!(error instanceof ApiError)) return isOtherType(error) ? '' : 'does not answer'
  if (error.code === 403)
    return `cannot be asked, which needs get on services/proxy: ${error.message}`
  return error.code >= 500 || error.code === 429 ? 'does not answer' : ''
}

const isOtherType = (error: unknown): boolean =>
  error instanceof Error && /: the answer is .*, not application\/json$/.test(error.message)
