// Which columns does a Pod have? Ready containers, one word for its state, restarts and age.
import type { Fields } from '../../kube/decode/fields.ts'
import { ageOf } from './age.ts'
import { isTrue, podState, type Restarts } from './podState.ts'
import { ageHeading, fieldsOf, nameHeading, type RowCondition, type Shape } from './shape.ts'

export const podShape: Shape = {
  headings: [
    nameHeading,
    {
      name: 'Ready',
      description: 'The aggregate readiness state of this pod for accepting traffic.',
    },
    { name: 'Status', description: 'The aggregate status of the containers in this pod.' },
    {
      name: 'Restarts',
      description:
        'The number of times the containers in this pod have been restarted and when the last ' +
        'container in this pod has restarted.',
    },
    ageHeading,
    { name: 'IP', of: 'status.podIP', priority: 1 },
    { name: 'Node', of: 'spec.nodeName', priority: 1 },
    { name: 'Nominated Node', of: 'status.nominatedNodeName', priority: 1 },
    { name: 'Readiness Gates', of: 'spec.readinessGates', priority: 1 },
  ],
  cells: (object, nowMs) => {
    const pod = fieldsOf(object)
    const [metadata, spec] = [pod.inner('metadata'), pod.inner('spec')]
    const status = pod.inner('status')
    const [firstIp] = status.each('podIPs')
    const { ready, total, word, restarts } = podState(pod)
    return [
      metadata.text('name'),
      `${ready}/${total}`,
      word,
      restartsText(restarts, nowMs),
      ageOf(metadata.text('creationTimestamp'), nowMs),
      status.text('podIP') || firstIp?.text('ip') || '<none>',
      spec.text('nodeName') || '<none>',
      status.text('nominatedNodeName') || '<none>',
      gatesText(spec, status),
    ]
  },
  conditions: (object) => endings.get(fieldsOf(object).inner('status').text('phase')),
}

const ending = (reason: string, message: string): readonly RowCondition[] => [
  { type: 'Completed', status: 'True', reason, message },
]
const endings: ReadonlyMap<string, readonly RowCondition[]> = new Map([
  ['Succeeded', ending('Succeeded', 'The pod has completed successfully.')],
  ['Failed', ending('Failed', 'The pod failed.')],
])

function restartsText({ count, last }: Restarts, nowMs: number): string {
  return count === 0 || last === '' ? `${count}` : `${count} (${ageOf(last, nowMs)} ago)`
}

function gatesText(spec: Fields, status: Fields): string {
  const gates = spec.each('readinessGates').map((gate) => gate.text('conditionType'))
  const open = gates.filter((gate) => isTrue(status, gate))
  return gates.length === 0 ? '<none>' : `${open.length}/${gates.length}`
}
