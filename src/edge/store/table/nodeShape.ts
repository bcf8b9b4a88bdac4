// Which columns does a Node have? Status, roles, version and addresses.
import type { Fields } from '../../kube/decode/fields.ts'
import { ageOf } from './age.ts'
import { ageHeading, fieldsOf, nameHeading, type Shape } from './shape.ts'

export const nodeShape: Shape = {
  headings: [
    nameHeading,
    { name: 'Status', description: 'The status of the node' },
    { name: 'Roles', description: 'The roles of the node' },
    ageHeading,
    { name: 'Version', of: 'status.nodeInfo.kubeletVersion' },
    { name: 'Internal-IP', of: 'status.addresses', priority: 1 },
    { name: 'External-IP', of: 'status.addresses', priority: 1 },
    { name: 'OS-Image', of: 'status.nodeInfo.osImage', priority: 1 },
    { name: 'Kernel-Version', of: 'status.nodeInfo.kernelVersion', priority: 1 },
    { name: 'Container-Runtime', of: 'status.nodeInfo.containerRuntimeVersion', priority: 1 },
  ],
  cells: (object, nowMs) => {
    const node = fieldsOf(object)
    const [metadata, status] = [node.inner('metadata'), node.inner('status')]
    const system = status.inner('nodeInfo')
    const architecture = system.text('architecture')
    const kernel = system.text('kernelVersion') || '<unknown>'
    return [
      metadata.text('name'),
      readiness(node),
      rolesOf(metadata.labels('labels')).join(',') || '<none>',
      ageOf(metadata.text('creationTimestamp'), nowMs),
      system.text('kubeletVersion'),
      addressOf(status, 'InternalIP'),
      addressOf(status, 'ExternalIP'),
      system.text('osImage') || '<unknown>',
      architecture === '' ? kernel : `${kernel} (${architecture})`,
      system.text('containerRuntimeVersion') || '<unknown>',
    ]
  },
}

function readiness(node: Fields): string {
  const conditions = node.inner('status').each('conditions')
  const ready = conditions.findLast((condition) => condition.text('type') === 'Ready')
  const isReady = ready?.text('status') === 'True'
  const word = ready === undefined ? 'Unknown' : isReady ? 'Ready' : 'NotReady'
  return node.inner('spec').flag('unschedulable') === true ? `${word},SchedulingDisabled` : word
}

const rolePrefix = 'node-role.kubernetes.io/'

/** Without duplicates, sorted. */
function rolesOf(labels: Readonly<Record<string, string>>): readonly string[] {
  const roles = Object.entries(labels).map(([name, value]) => {
    if (name.startsWith(rolePrefix)) return name.slice(rolePrefix.length)
    return name === 'kubernetes.io/role' ? value : ''
  })
  return [...new Set(roles.filter((role) => role !== ''))].sort()
}

function addressOf(status: Fields, type: string): string {
  const address = status.each('addresses').find((one) => one.text('type') === type)
  return address?.text('address') ?? '<none>'
}
