// At which URL is each endpoint of OpenStack reached (O3.3)? By its Service's name, inside the
// cluster and out, or by its Route.
import { isRecord, recordAt, textAt } from '../../model/json.ts'

export type Endpoint = {
  readonly service: string
  readonly endpoint: string
  readonly url: string
  /** Of the load balancer; empty where there is none. */
  readonly address: string
}

type ExposedObjects = {
  readonly services: readonly unknown[]
  readonly routes: readonly unknown[]
  /** Whether pods speak TLS, which is what a control plane has unless it says otherwise. */
  readonly isTls: boolean
}

const endings = ['internal', 'public']

/** By name, internal before public. */
export function endpointTable({ services, routes, isTls }: ExposedObjects): readonly Endpoint[] {
  const byName = new Map(
    routes.map((route) => [textAt(recordAt(route, 'metadata'), 'name'), route]),
  )
  return services
    .flatMap((service) => {
      const name = textAt(recordAt(service, 'metadata'), 'name')
      const endpoint = endings.find((ending) => name.endsWith(`-${ending}`))
      if (endpoint === undefined || isOfCell(name)) return []
      const url = routeUrl(byName.get(name)) ?? urlOf(service, isTls)
      const address = addressesOf(service).join(',')
      return [{ service: name.slice(0, -endpoint.length - 1), endpoint, url, address }]
    })
    .sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
}

/** Metadata and consoles are no endpoints of the catalog. */
const isOfCell = (name: string): boolean => /^nova-(metadata|novncproxy)\b/.test(name)

const idOf = ({ service, endpoint }: Endpoint): string => `${service} ${endpoint}`

function routeUrl(route: unknown): string | undefined {
  const spec = recordAt(route, 'spec')
  const host = textAt(spec, 'host')
  if (host === '') return undefined
  return `${isRecord(spec['tls']) ? 'https' : 'http'}://${host}`
}

/** The port is the one that is called as the Service is, else the first. */
function urlOf(service: unknown, isTls: boolean): string {
  const metadata = recordAt(service, 'metadata')
  const name = textAt(metadata, 'name')
  const { ports } = recordAt(service, 'spec')
  const all: readonly unknown[] = Array.isArray(ports) ? ports : []
  const port = all.find((one) => textAt(one, 'name') === name) ?? all[0]
  const number = isRecord(port) ? port['port'] : undefined
  const host = `${name}.${textAt(metadata, 'namespace')}.svc`
  return `${isTls ? 'https' : 'http'}://${host}${number === undefined ? '' : `:${number}`}`
}

function addressesOf(service: unknown): readonly string[] {
  const { ingress } = recordAt(recordAt(service, 'status'), 'loadBalancer')
  return (Array.isArray(ingress) ? ingress : []).map((one) => textAt(one, 'ip')).filter(Boolean)
}
