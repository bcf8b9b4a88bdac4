// How are EndpointSlices written? Their address type cannot change, and addresses must fit it.
import type { FieldError } from '../../../../core/model/admission.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { familyOf } from '../../../../core/net/ip.ts'
import { duplicate, invalid, tooMany, unsupported } from '../../../kube/schema/schemaMessages.ts'
import { metaOf, recordsOf, textOf, textsOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'
import { firstErrors } from '../firstErrors.ts'
import { checkIp, checkReachable } from '../ipFields.ts'
import { changed, withMeta } from '../jsonChange.ts'
import { checkMeta } from '../metadata.ts'
import { dnsLabel, dnsSubdomain, type Form } from '../names.ts'
import { inNamespace, plainStrategy } from '../plainStrategy.ts'
import type { Strategy } from '../strategy.ts'

const types = ['FQDN', 'IPv4', 'IPv6']
const protocols = ['SCTP', 'TCP', 'UDP']
const [maxEndpoints, maxAddresses, maxPorts] = [1000, 100, 20_000]

export const endpointSlice: Strategy = plainStrategy(inNamespace, {
  defaulted: (object) =>
    changed(object, {
      ports:
        object['ports'] &&
        recordsOf(object['ports']).map((port) => ({ name: '', protocol: 'TCP', ...port })),
    }),
  prepared: (object, before) => withMeta(object, { generation: generationOf(object, before) }),
  checked: (object, before) => [
    ...checkMeta(object, inNamespace),
    ...checkAddressType(object['addressType']),
    ...checkPorts(recordsOf(object['ports'])),
    ...(before !== undefined && sameJson(object['endpoints'], before['endpoints'])
      ? []
      : checkEndpoints(recordsOf(object['endpoints']), textOf(object['addressType']))),
    ...(before === undefined || object['addressType'] === before['addressType']
      ? []
      : [invalid('addressType', object['addressType'], 'field is immutable')]),
  ],
})

/** Labels count as a change, because they name the Service. */
function generationOf(object: JsonObject, before: JsonObject | undefined): unknown {
  if (before === undefined) return 1
  const said = (one: JsonObject) => ({ ...one, metadata: metaOf(one)['labels'] })
  const { generation } = metaOf(before)
  return sameJson(said(object), said(before)) ? generation : Number(generation ?? 0) + 1
}

function checkAddressType(type: unknown): readonly FieldError[] {
  if (textOf(type) === '') return [{ path: 'addressType', message: 'Required value' }]
  return types.includes(textOf(type)) ? [] : [unsupported('addressType', type, types)]
}

const fitting = (path: string, text: unknown, form: Form): readonly FieldError[] =>
  text === undefined ? [] : form(textOf(text)).map((why) => invalid(path, text, why))

function checkPorts(ports: readonly JsonObject[]): readonly FieldError[] {
  if (ports.length > maxPorts) return [tooMany('ports', ports.length, maxPorts)]
  const seen = new Set<string>()
  return firstErrors(ports, ({ name: given, protocol }, index) => {
    const [path, name] = [`ports[${index}]`, textOf(given)]
    const isRepeated = seen.has(name)
    seen.add(name)
    return [
      ...(name === '' ? [] : fitting(`${path}.name`, name, dnsLabel)),
      ...(isRepeated ? [duplicate(`${path}.name`, name)] : []),
      ...(protocols.includes(textOf(protocol))
        ? []
        : [unsupported(`${path}.protocol`, protocol, protocols)]),
    ]
  })
}

function checkEndpoints(endpoints: readonly JsonObject[], type: string): readonly FieldError[] {
  if (endpoints.length > maxEndpoints) {
    return [tooMany('endpoints', endpoints.length, maxEndpoints)]
  }
  return firstErrors(endpoints, (endpoint, index) => {
    const path = `endpoints[${index}]`
    return [
      ...checkAddresses(textsOf(endpoint['addresses']), type, `${path}.addresses`),
      ...fitting(`${path}.nodeName`, endpoint['nodeName'], dnsSubdomain),
      ...fitting(`${path}.hostname`, endpoint['hostname'], dnsLabel),
    ]
  })
}

function checkAddresses(
  addresses: readonly string[],
  type: string,
  path: string,
): readonly FieldError[] {
  if (addresses.length === 0) {
    return [{ path, message: 'Required value: must contain at least 1 address' }]
  }
  const many =
    addresses.length > maxAddresses ? [tooMany(path, addresses.length, maxAddresses)] : []
  return [
    ...many,
    ...firstErrors(addresses, (address, index) => checkAddress(address, type, `${path}[${index}]`)),
  ]
}

function checkAddress(address: string, type: string, path: string): readonly FieldError[] {
  if (type === 'FQDN') return fitting(path, address, dnsSubdomain)
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const checked = checkIp(path, address)
  if (!checked.ok) return checked.errors
  const list = path.slice(0, path.lastIndexOf('['))
  const isOther = familyOf(checked.ip) !== type
  return [
    ...(isOther ? [invalid(list, address, `must be an ${type} address`)] : []),
    ...checkReachable(path, address),
  ]
}
