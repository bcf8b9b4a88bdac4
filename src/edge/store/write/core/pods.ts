// How are Pods and Deployments written? As records that nothing runs: they get only the defaults
// and checks that readers rely on, and a Pod is deleted at once.
import type { FieldError } from '../../../../core/model/admission.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { duplicate, invalid } from '../../../kube/schema/schemaMessages.ts'
import { metaOf, recordOf, recordsOf, textOf, textsOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'
import { firstErrors } from '../firstErrors.ts'
import { changed, withMeta } from '../jsonChange.ts'
import { checkMeta, checkMetaUpdate } from '../metadata.ts'
import { dnsLabel } from '../names.ts'
import { inNamespace, keepingStatus, plainStrategy } from '../plainStrategy.ts'
import type { Strategy } from '../strategy.ts'
import { podSpecDefaults } from './podDefaults.ts'
import { qosClass, withRequests } from './podResources.ts'
import { checkPodUpdate } from './podUpdate.ts'

const required = (path: string): FieldError => ({ path, message: 'Required value' })

const checkOwn = (object: JsonObject, before: JsonObject | undefined): readonly FieldError[] =>
  before === undefined
    ? checkMeta(object, inNamespace)
    : checkMetaUpdate(object, before, inNamespace)

/** Grows when the spec changes. */
function generationOf(
  object: JsonObject,
  before: JsonObject | undefined,
  said: (object: JsonObject) => unknown,
): unknown {
  if (before === undefined) return 1
  const { generation } = metaOf(before)
  return sameJson(said(object), said(before)) ? generation : Number(generation ?? 0) + 1
}

export const pod: Strategy = plainStrategy(inNamespace, {
  returnsDeleted: true,
  defaulted: podDefaults,
  prepared(object, before) {
    const generation = generationOf(object, before, ({ spec }) => spec)
    const made = { phase: 'Pending', qosClass: qosClass(recordOf(object['spec'])) }
    const status = before?.['status'] ?? made
    return changed(withMeta(object, { generation }), { status })
  },
  checked: (object, before) => [
    ...checkOwn(object, before),
    ...checkContainers(recordOf(object['spec']), 'spec'),
    ...(before === undefined ? [] : checkPodUpdate(object, before)),
  ],
  preparedStatus: (object, before) =>
    changed(withMeta(object, { ownerReferences: metaOf(before)['ownerReferences'] }), {
      spec: before['spec'],
    }),
  fields(object) {
    const [spec, status] = [recordOf(object['spec']), recordOf(object['status'])]
    return {
      'spec.nodeName': textOf(spec['nodeName']),
      'spec.restartPolicy': textOf(spec['restartPolicy']),
      'spec.schedulerName': textOf(spec['schedulerName']),
      'spec.serviceAccountName': textOf(spec['serviceAccountName']),
      'spec.hostNetwork': String(spec['hostNetwork'] === true),
      'status.phase': textOf(status['phase']),
      'status.podIP': textOf(status['podIP']),
      'status.nominatedNodeName': textOf(status['nominatedNodeName']),
    }
  },
})

function podDefaults(object: JsonObject): JsonObject {
  const spec = podSpecDefaults(recordOf(object['spec']))
  const asking = (name: string) => spec[name] && recordsOf(spec[name]).map(withRequests)
  const containers = { containers: asking('containers'), initContainers: asking('initContainers') }
  return { ...object, spec: changed({ enableServiceLinks: true, ...spec }, containers) }
}

function checkContainers(spec: JsonObject, at: string): readonly FieldError[] {
  const containers = recordsOf(spec['containers'])
  if (containers.length === 0) return [required(`${at}.containers`)]
  const names = containers.map(({ name }) => textOf(name))
  const seen = new Set<string>()
  const isRepeated = (name: string) => seen.size === seen.add(name).size
  return firstErrors(containers, ({ image }, index) => {
    const [path, name = ''] = [`${at}.containers[${index}]`, names[index]]
    const wrong =
      name === ''
        ? [required(`${path}.name`)]
        : dnsLabel(name).map((why) => invalid(`${path}.name`, name, why))
    return [
      ...wrong,
      ...(name !== '' && isRepeated(name) ? [duplicate(`${path}.name`, name)] : []),
      ...(textOf(image) === '' ? [required(`${path}.image`)] : []),
    ]
  })
}

export const deployment: Strategy = plainStrategy(inNamespace, {
  defaulted: deploymentDefaults,
  prepared(object, before) {
    const wanted = (one: JsonObject) => [one['spec'], metaOf(one)['annotations']]
    const generation = generationOf(object, before, wanted)
    return keepingStatus(withMeta(object, { generation }), before)
  },
  checked: (object, before) => [...checkOwn(object, before), ...checkDeployment(object, before)],
  preparedStatus: (object, before) =>
    changed(withMeta(object, { labels: metaOf(before)['labels'] }), { spec: before['spec'] }),
})

function deploymentDefaults(object: JsonObject): JsonObject {
  const spec = recordOf(object['spec'])
  const template = recordOf(spec['template'])
  const filled = {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    ...spec,
    strategy: strategyDefaults(recordOf(spec['strategy'])),
    template: { ...template, spec: podSpecDefaults(recordOf(template['spec'])) },
  }
  return { ...object, spec: filled }
}

function strategyDefaults(strategy: JsonObject): JsonObject {
  const { type = 'RollingUpdate', rollingUpdate } = strategy
  if (type !== 'RollingUpdate') return { ...strategy, type }
  const usual = { maxUnavailable: '25%', maxSurge: '25%' }
  return { ...strategy, type, rollingUpdate: { ...usual, ...recordOf(rollingUpdate) } }
}

function checkDeployment(
  object: JsonObject,
  before: JsonObject | undefined,
): readonly FieldError[] {
  const spec = recordOf(object['spec'])
  const template = recordOf(spec['template'])
  const labels = recordOf(metaOf(template)['labels'])
  const errors: FieldError[] = []
  if (spec['selector'] === undefined) errors.push(required('spec.selector'))
  else if (!isSelected(recordOf(spec['selector']), labels)) {
    const why = '`selector` does not match template `labels`'
    errors.push(invalid('spec.template.metadata.labels', labels, why))
  }
  for (const name of counts) {
    const count = spec[name]
    if (typeof count === 'number' && count < 0) {
      errors.push(invalid(`spec.${name}`, count, 'must be greater than or equal to 0'))
    }
  }
  errors.push(...checkContainers(recordOf(template['spec']), 'spec.template.spec'))
  const old = before && recordOf(before['spec'])['selector']
  if (before !== undefined && !sameJson(old, spec['selector'])) {
    errors.push(invalid('spec.selector', spec['selector'], 'field is immutable'))
  }
  return errors
}

const counts = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds']

function isSelected(selector: JsonObject, labels: JsonObject): boolean {
  const wanted = Object.entries(recordOf(selector['matchLabels']))
  const rules = recordsOf(selector['matchExpressions'])
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    rules.every((rule) => meets(rule, labels))
  )
}

function meets({ key, operator, values }: JsonObject, labels: JsonObject): boolean {
  const name = textOf(key)
  const has = Object.hasOwn(labels, name)
  if (operator === 'Exists' || operator === 'DoesNotExist') return has === (operator === 'Exists')
  const isIn = has && textsOf(values).includes(textOf(labels[name]))
  return operator === 'In' ? isIn : !isIn
}
