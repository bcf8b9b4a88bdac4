// MetalLB's Helm chart, with stand-ins for its images: its names and labels, and its definitions in a
// chart below it, so that they belong to the release.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { metallbObjects } from './metallbObjects.ts'

const version = '0.16.1'
const namespace = 'metallb-system'
const labelsOf = (component: string) => ({
  'app.kubernetes.io/name': 'metallb',
  'app.kubernetes.io/component': component,
})

type Meta = { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
type Json = Readonly<Record<string, unknown>> & {
  readonly kind: string
  readonly metadata: Meta
}
type Workload = Json & {
  readonly spec: {
    readonly template: { readonly spec: Readonly<Record<string, unknown>> }
  }
}

function ofChart(object: Json): Json {
  const { name, labels: before } = object.metadata
  const component = before?.['component']
  if (component === undefined) return object
  const labels = labelsOf(component)
  const { spec } = object as Workload
  const template = { metadata: { labels }, spec: spec.template.spec }
  const chart = { 'helm.sh/chart': `metallb-${version}`, 'app.kubernetes.io/managed-by': 'Helm' }
  return {
    ...object,
    metadata: { ...object.metadata, name: `metallb-${name}`, labels: { ...labels, ...chart } },
    spec: { ...spec, selector: { matchLabels: labels }, template },
  }
}

/** By which the API server finds who converts. */
export const webhookService = (labels: Readonly<Record<string, string>>): Json => ({
  ...{ apiVersion: 'v1', kind: 'Service' },
  metadata: { name: 'metallb-webhook-service', ...{ namespace } },
  spec: { selector: labels, ports: [{ port: 443, targetPort: 9443 }] },
})

/** As MetalLB installs them: BGPPeers are converted by its controller. */
export function metallbDefinitions(): readonly Json[] {
  const files = readdirSync('deploy/crds').filter((file) => file.includes('metallb.io'))
  return files.map((file) => {
    const crd = load(readFileSync(join('deploy/crds', file), 'utf8')) as Json & {
      readonly spec: { readonly conversion?: object }
    }
    if (crd.spec.conversion === undefined) return crd
    const service = { name: 'metallb-webhook-service', namespace, path: '/convert' }
    const webhook = { clientConfig: { service }, conversionReviewVersions: ['v1'] }
    return { ...crd, spec: { ...crd.spec, conversion: { strategy: 'Webhook', webhook } } }
  })
}

/** Its folder. */
export function writeChart(parent: string): string {
  const folder = join(parent, 'metallb')
  const write = (at: string, name: string, objects: readonly Json[]): void => {
    mkdirSync(join(at, 'templates'), { recursive: true })
    writeFileSync(join(at, 'Chart.yaml'), JSON.stringify({ apiVersion: 'v2', name, version }))
    for (const [index, object] of objects.entries()) {
      // Braces of a schema's description are no template.
      const text = JSON.stringify(object).replaceAll('{{', '{ {')
      writeFileSync(join(at, 'templates', `${index}.yaml`), text)
    }
  }
  const objects = (metallbObjects as readonly Json[]).map(ofChart)
  write(folder, 'metallb', [...objects, webhookService(labelsOf('controller'))])
  write(join(folder, 'charts', 'crds'), 'crds', metallbDefinitions())
  return folder
}
