// Which columns do built-in kinds have? As in pkg/printers/internalversion of 1.36, wide ones too.
import type { Fields } from '../../kube/decode/fields.ts'
import { ageOf } from './age.ts'
import { deploymentShape } from './deploymentShape.ts'
import { eventShape } from './eventShape.ts'
import { nodeShape } from './nodeShape.ts'
import { podShape } from './podShape.ts'
import { serviceShape } from './serviceShape.ts'
import { ageHeading, type Cell, fieldsOf, type Heading, nameHeading, type Shape } from './shape.ts'

/** Name, columns of the kind, and age. */
function plainShape(
  headings: readonly Heading[],
  cells: (object: Fields) => readonly Cell[],
): Shape {
  return {
    headings: [nameHeading, ...headings, ageHeading],
    cells: (object, nowMs) => {
      const fields = fieldsOf(object)
      const metadata = fields.inner('metadata')
      const age = ageOf(metadata.text('creationTimestamp'), nowMs)
      return [metadata.text('name'), ...cells(fields), age]
    },
  }
}

/** For kinds without columns of their own. */
export const createdAtShape: Shape = {
  headings: [nameHeading, { ...ageHeading, name: 'Created At', type: 'date' }],
  cells: (object) => {
    const metadata = fieldsOf(object).inner('metadata')
    return [metadata.text('name'), metadata.text('creationTimestamp')]
  },
}

const countOf = (object: Fields, ...maps: readonly string[]): number =>
  maps.reduce((sum, map) => sum + object.inner(map).names().length, 0)

/** By resource name. */
export const builtInShapes: Readonly<Record<string, Shape>> = {
  configmaps: plainShape([{ name: 'Data', of: 'data' }], (object) => [
    countOf(object, 'data', 'binaryData'),
  ]),
  'customresourcedefinitions.apiextensions.k8s.io': createdAtShape,
  'deployments.apps': deploymentShape,
  'endpointslices.discovery.k8s.io': plainShape(
    [
      { name: 'AddressType', of: 'addressType' },
      { name: 'Ports', of: 'ports' },
      { name: 'Endpoints', of: 'endpoints' },
    ],
    (slice) => [
      slice.text('addressType'),
      someOf(slice.each('ports').map(endpointPort)),
      someOf(slice.each('endpoints').flatMap((endpoint) => endpoint.texts('addresses'))),
    ],
  ),
  events: eventShape,
  'leases.coordination.k8s.io': plainShape(
    [{ name: 'Holder', of: 'spec.holderIdentity' }],
    (lease) => [lease.inner('spec').text('holderIdentity')],
  ),
  namespaces: plainShape(
    [{ name: 'Status', description: 'The status of the namespace' }],
    (namespace) => [namespace.inner('status').text('phase')],
  ),
  nodes: nodeShape,
  pods: podShape,
  secrets: plainShape(
    [
      { name: 'Type', of: 'type' },
      { name: 'Data', of: 'data' },
    ],
    (secret) => [secret.text('type'), countOf(secret, 'data')],
  ),
  serviceaccounts: plainShape([], () => []),
  services: serviceShape,
}

function endpointPort(port: Fields): string {
  if (port.has('port')) return `${port.number('port')}`
  return port.has('name') ? port.text('name') : '*'
}

/** The first three, and the number of others. */
function someOf(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(',')
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown || '<unset>'
}
