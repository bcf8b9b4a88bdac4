// How are Events, Leases, Nodes and ServiceAccounts written? With few rules of their own.
import type { FieldError } from '../../../../core/model/admission.ts'
import { forbidden } from '../../../../core/model/fieldError.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { duplicate, invalid, jsonText } from '../../../kube/schema/schemaMessages.ts'
import { metaOf, recordOf, recordsOf, textOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'
import { firstErrors } from '../firstErrors.ts'
import { changed } from '../jsonChange.ts'
import { checkMeta, checkMetaUpdate } from '../metadata.ts'
import { dnsSubdomain, qualifiedName } from '../names.ts'
import { inCluster, inNamespace, plainStrategy } from '../plainStrategy.ts'
import type { Strategy } from '../strategy.ts'

export const event: Strategy = plainStrategy(inNamespace, {
  isUpsert: true,
  checked: (object) => checkEvent(object),
  fields(object) {
    const involved = recordOf(object['involvedObject'])
    const source = textOf(recordOf(object['source'])['component'])
    const reporting = textOf(object['reportingComponent'])
    return {
      ...Object.fromEntries(
        ofInvolved.map((name) => [`involvedObject.${name}`, textOf(involved[name])]),
      ),
      reason: textOf(object['reason']),
      reportingComponent: reporting,
      source: source === '' ? reporting : source,
      type: textOf(object['type']),
    }
  },
})
const ofInvolved = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
]

/** An Event with an eventTime is of the newer kind, which has more required fields. */
function checkEvent(object: JsonObject): readonly FieldError[] {
  const isNew = typeof object['eventTime'] === 'string'
  const { namespace } = metaOf(object)
  return [
    ...checkInvolved(object, isNew),
    ...(isNew ? checkNewEvent(object) : []),
    ...dnsSubdomain(textOf(namespace)).map((why) => invalid('namespace', namespace, why)),
  ]
}

function checkInvolved(object: JsonObject, isNew: boolean): readonly FieldError[] {
  const involved = textOf(recordOf(object['involvedObject'])['namespace'])
  const namespace = textOf(metaOf(object)['namespace'])
  const ofCluster = isNew ? ['default', 'kube-system'] : ['default']
  const isRight = involved === '' ? ofCluster.includes(namespace) : isNew || involved === namespace
  if (isRight) return []
  return [invalid('involvedObject.namespace', involved, 'does not match event.namespace')]
}

function checkNewEvent(object: JsonObject): readonly FieldError[] {
  const must = (name: string): readonly FieldError[] =>
    textOf(object[name]) === '' ? [{ path: name, message: 'Required value' }] : []
  const atMost = (name: string, most: number): readonly FieldError[] =>
    Buffer.byteLength(textOf(object[name])) > most
      ? [invalid(name, '', `can have at most ${most} characters`)]
      : []
  const component = textOf(object['reportingComponent'])
  return [
    ...must('reportingComponent'),
    ...qualifiedName(component).map((why) => invalid('reportingComponent', component, why)),
    ...must('reportingInstance'),
    ...atMost('reportingInstance', 128),
    ...must('action'),
    ...atMost('action', 128),
    ...must('reason'),
    ...atMost('reason', 128),
    ...atMost('message', 1024),
  ]
}

const ofLease = { ...inNamespace, isBuiltIn: false }

export const lease: Strategy = plainStrategy(ofLease, {
  isUpsert: true,
  isUnconditional: false,
  checked: (object, before) => [
    ...(before === undefined
      ? checkMeta(object, ofLease)
      : checkMetaUpdate(object, before, ofLease)),
    ...checkLease(recordOf(object['spec'])),
  ],
})

function checkLease(spec: JsonObject): readonly FieldError[] {
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = spec
  const errors: FieldError[] = []
  if (typeof duration === 'number' && duration <= 0) {
    errors.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'))
  }
  if (typeof transitions === 'number' && transitions < 0) {
    errors.push(invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'))
  }
  return errors
}

export const node: Strategy = plainStrategy(inCluster, {
  defaulted: nodeDefaults,
  prepared: (object, before) =>
    before === undefined ? object : changed(object, { status: before['status'] }),
  checked: checkNode,
  checkedStatus: checkNode,
  fields: (object) => ({
    'spec.unschedulable': String(recordOf(object['spec'])['unschedulable'] === true),
  }),
})

/** Allocatable defaults to capacity, and podCIDRs to podCIDR. */
function nodeDefaults(object: JsonObject): JsonObject {
  const [spec, status] = [recordOf(object['spec']), recordOf(object['status'])]
  const { podCIDR, podCIDRs } = spec
  const isOne = podCIDR !== undefined && podCIDRs === undefined
  const { allocatable = status['capacity'] } = status
  return {
    ...object,
    spec: isOne ? { ...spec, podCIDRs: [podCIDR] } : spec,
    status: changed(status, { allocatable }),
  }
}

function checkNode(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  if (before === undefined) return checkMeta(object, inCluster)
  const [spec, old] = [recordOf(object['spec']), recordOf(before['spec'])]
  const addresses = recordsOf(recordOf(object['status'])['addresses'])
  const known = new Set<string>()
  const repeated = firstErrors(addresses, (address, index) =>
    known.size === known.add(jsonText(address)).size
      ? [duplicate(`status.addresses[${index}]`, address)]
      : [],
  )
  const fixed = (name: string, said: string): readonly FieldError[] => {
    if (old[name] === undefined || sameJson(old[name], spec[name])) return []
    const why = `node updates may not change ${said} except from "" to valid`
    return [forbidden(`spec.${name}`, why)]
  }
  return [
    ...checkMetaUpdate(object, before, inCluster),
    ...repeated,
    ...fixed('podCIDRs', 'podCIDR'),
    ...fixed('providerID', 'providerID'),
  ]
}

export const serviceAccount: Strategy = plainStrategy(inNamespace, {
  returnsDeleted: true,
  checked: (object, before) => [
    ...(before === undefined ? [] : checkMetaUpdate(object, before, inNamespace)),
    ...checkMeta(object, inNamespace),
  ],
})
