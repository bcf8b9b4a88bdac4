// Which columns does a Deployment have? How many Pods are ready, and which they are.
import type { Fields } from '../../kube/decode/fields.ts'
import { ageOf } from './age.ts'
import { ageHeading, fieldsOf, nameHeading, type Shape } from './shape.ts'

export const deploymentShape: Shape = {
  headings: [
    nameHeading,
    { name: 'Ready', description: 'Number of the pod with ready state' },
    { name: 'Up-to-date', of: 'status.updatedReplicas' },
    { name: 'Available', of: 'status.availableReplicas' },
    ageHeading,
    {
      name: 'Containers',
      description: 'Names of each container in the template.',
      priority: 1,
    },
    {
      name: 'Images',
      description: 'Images referenced by each container in the template.',
      priority: 1,
    },
    { name: 'Selector', of: 'spec.selector', priority: 1 },
  ],
  cells: (object, nowMs) => {
    const deployment = fieldsOf(object)
    const [metadata, spec] = [deployment.inner('metadata'), deployment.inner('spec')]
    const status = deployment.inner('status')
    const containers = spec.inner('template').inner('spec').each('containers')
    return [
      metadata.text('name'),
      `${status.number('readyReplicas') ?? 0}/${spec.number('replicas') ?? 1}`,
      status.number('updatedReplicas') ?? 0,
      status.number('availableReplicas') ?? 0,
      ageOf(metadata.text('creationTimestamp'), nowMs),
      containers.map((container) => container.text('name')).join(','),
      containers.map((container) => container.text('image')).join(','),
      selectorText(spec.inner('selector')),
    ]
  },
}

/** As in a query parameter, sorted by key. */
function selectorText(selector: Fields): string {
  const labels = Object.entries(selector.labels('matchLabels'))
  const requirements = [
    ...labels.map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...selector.each('matchExpressions').map(requirementText),
  ]
  const sorted = requirements.sort((one, other) => (one.key < other.key ? -1 : 1))
  return sorted.map(({ text }) => text).join(',')
}

function requirementText(expression: Fields): { readonly key: string; readonly text: string } {
  const key = expression.text('key')
  const operator = expression.text('operator')
  if (operator === 'Exists') return { key, text: key }
  if (operator === 'DoesNotExist') return { key, text: `!${key}` }
  const values = [...expression.texts('values')].sort().join(',')
  return { key, text: `${key} ${operator.toLowerCase()} (${values})` }
}
