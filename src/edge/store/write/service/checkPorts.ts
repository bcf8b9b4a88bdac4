// Are the ports of a Service valid: distinct names, in range, known protocols, no duplicates?
import type { FieldError } from '../../../../core/model/admission.ts'
import { forbidden } from '../../../../core/model/fieldError.ts'
import { duplicate, invalid, unsupported } from '../../../kube/schema/schemaMessages.ts'
import { firstErrors } from '../firstErrors.ts'
import { dnsLabel, type Form, qualifiedName } from '../names.ts'
import type { Port, Spec } from './spec.ts'

const protocols = ['SCTP', 'TCP', 'UDP']
const outOfRange = 'must be between 1 and 65535, inclusive'
const isPort = (port: number): boolean => port >= 1 && port <= 65_535

export function checkPorts({ ports }: Spec): readonly FieldError[] {
  const names = new Set<string>()
  const isRepeated = (name: string): boolean => names.size === names.add(name).size
  return firstErrors(ports, (port, index) => {
    const path = `spec.ports[${index}]`
    return [
      ...checkName(port, path, ports.length > 1),
      ...(port.name !== '' && isRepeated(port.name) ? [duplicate(`${path}.name`, port.name)] : []),
      ...checkPort(port, path),
    ]
  })
}

function checkName({ name }: Port, path: string, isRequired: boolean): readonly FieldError[] {
  if (name !== '') return dnsLabel(name).map((why) => invalid(`${path}.name`, name, why))
  return isRequired ? [{ path: `${path}.name`, message: 'Required value' }] : []
}

function checkPort(port: Port, path: string): readonly FieldError[] {
  const { protocol, targetPort, appProtocol = '' } = port
  return [
    ...checkNumber(`${path}.port`, port.port),
    ...(protocols.includes(protocol) ? [] : [unsupported(`${path}.protocol`, protocol, protocols)]),
    ...(typeof targetPort === 'number'
      ? checkNumber(`${path}.targetPort`, targetPort)
      : portName(targetPort).map((why) => invalid(`${path}.targetPort`, targetPort, why))),
    ...(port.appProtocol === undefined
      ? []
      : qualifiedName(appProtocol).map((why) => invalid(`${path}.appProtocol`, appProtocol, why))),
  ]
}

export const checkNumber = (path: string, port: number): readonly FieldError[] =>
  isPort(port) ? [] : [invalid(path, port, outOfRange)]

const portName: Form = (text) => {
  const errors: string[] = []
  if (Buffer.byteLength(text) > 15) errors.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(text)) {
    errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  }
  if (!/[a-z]/.test(text)) errors.push('must contain at least one letter (a-z)')
  if (text.includes('--')) errors.push('must not contain consecutive hyphens')
  if (/^-|-$/.test(text)) errors.push('must not begin or end with a hyphen')
  return errors
}

/** Fields that a ClusterIP Service may not have. */
export const checkNoNodePorts = ({ type, ports }: Spec): readonly FieldError[] =>
  type !== 'ClusterIP'
    ? []
    : firstErrors(ports, ({ nodePort }, index) =>
        nodePort === 0
          ? []
          : [
              forbidden(
                `spec.ports[${index}].nodePort`,
                "may not be used when `type` is 'ClusterIP'",
              ),
            ],
      )

export function checkRepeated({ ports }: Spec): readonly FieldError[] {
  const [nodePorts, plain] = [new Set<string>(), new Set<string>()]
  const isRepeated = (known: Set<string>, key: string) => known.size === known.add(key).size
  return [
    ...firstErrors(ports, ({ nodePort, protocol }, index) =>
      nodePort !== 0 && isRepeated(nodePorts, `${protocol}/${nodePort}`)
        ? [duplicate(`spec.ports[${index}].nodePort`, nodePort)]
        : [],
    ),
    ...firstErrors(ports, ({ port, protocol }, index) => {
      if (!isRepeated(plain, `${protocol}/${port}`)) return []
      const message = `Duplicate value: ${pairText(protocol, port)}`
      return [{ path: `spec.ports[${index}]`, message }]
    }),
  ]
}

/** As Go prints a port with only these two fields. */
const pairText = (protocol: string, port: number): string =>
  `{"Name":"","Protocol":${JSON.stringify(protocol)},"AppProtocol":null,"Port":${port},` +
  '"TargetPort":0,"NodePort":0}'
