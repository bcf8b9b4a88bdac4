// How is a CustomResourceDefinition written?
import type { JsonObject } from '../../../../core/model/gate.ts'
import { readCrd } from '../../../kube/schema/crd.ts'
import { convertsInProcess } from '../../kinds/convert.ts'
import { metaOf, recordOf, recordsOf, textOf, textsOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'
import { changed, withMeta } from '../jsonChange.ts'
import { checkMeta, checkMetaUpdate, type MetaRules } from '../metadata.ts'
import { dnsSubdomain } from '../names.ts'
import { inCluster, plainStrategy } from '../plainStrategy.ts'
import { hasUnknownRules } from '../rules.ts'
import type { Strategy } from '../strategy.ts'
import { checkDefinition } from './checkDefinition.ts'

const meta: MetaRules = { ...inCluster, isBuiltIn: false }

/** Its name is plural and group. */
function metaFor(object: JsonObject): MetaRules {
  const { group, names } = recordOf(object['spec'])
  const wanted = `${textOf(recordOf(names)['plural'])}.${textOf(group)}`
  const why = 'must be spec.names.plural+"."+spec.group'
  return { ...meta, name: (text) => [...dnsSubdomain(text), ...(text === wanted ? [] : [why])] }
}

export const definition: Strategy = plainStrategy(meta, {
  isUnconditional: false,
  defaulted: withDefaults,
  prepared(object, before) {
    const status = recordOf(before?.['status'])
    const stored = textsOf(status['storedVersions'])
    const storage = recordsOf(recordOf(object['spec'])['versions']).find(
      (one) => one['storage'] === true,
    )
    const name = textOf(storage?.['name'])
    const storedVersions = name === '' || stored.includes(name) ? stored : [...stored, name]
    const kept = changed(object, { status: { ...status, storedVersions } })
    return withMeta(kept, { generation: generationOf(object, before) })
  },
  checked: (object, before) => [
    ...(before === undefined
      ? checkMeta(object, metaFor(object))
      : checkMetaUpdate(object, before, meta)),
    ...checkDefinition(object, before),
  ],
  warned: (object) => warnings(object),
})

function generationOf(object: JsonObject, before: JsonObject | undefined): unknown {
  if (before === undefined) return 1
  const { generation } = metaOf(before)
  return sameJson(object['spec'], before['spec']) ? generation : Number(generation ?? 0) + 1
}

function withDefaults(object: JsonObject): JsonObject {
  const spec = recordOf(object['spec'])
  const names = recordOf(spec['names'])
  const kind = textOf(names['kind'])
  const { singular = kind.toLowerCase() || undefined, listKind = kind && `${kind}List` } = names
  const { conversion = { strategy: 'None' } } = spec
  return changed(object, {
    spec: {
      ...spec,
      names: changed(names, { singular, listKind: listKind === '' ? undefined : listKind }),
      conversion: withPort(recordOf(conversion)),
    },
  })
}

function withPort(conversion: JsonObject): JsonObject {
  const webhook = recordOf(conversion['webhook'])
  const config = recordOf(webhook['clientConfig'])
  const { service } = config
  if (service === undefined) return conversion
  const clientConfig = { ...config, service: { port: 443, ...recordOf(service) } }
  return { ...conversion, webhook: { ...webhook, clientConfig } }
}

/** Parts of a version that are stored but have no effect here. */
const unserved = (object: JsonObject): readonly string[] =>
  recordsOf(recordOf(object['spec'])['versions']).flatMap((version) => {
    const { scale } = recordOf(version['subresources'])
    const said = `version ${textOf(version['name'])}`
    return [
      ...(scale === undefined ? [] : [`${said}: the subresource scale is not served here`]),
      ...(version['selectableFields'] === undefined
        ? []
        : [`${said}: objects cannot be selected by selectableFields here`]),
    ]
  })

/** Warns of features that are not supported here. */
function warnings(object: JsonObject): readonly string[] {
  const crd = readCrd(object)
  if (crd === undefined) return []
  const said = crd.versions
    .filter(({ schema }) => hasUnknownRules(schema))
    .map(({ name }) => `version ${name}: x-kubernetes-validations are kept and not checked here`)
  said.push(...unserved(object))
  const { strategy } = recordOf(recordOf(object['spec'])['conversion'])
  const isCalled = strategy === 'Webhook' && crd.versions.length > 1 && !convertsInProcess(crd)
  if (!isCalled) return said
  const only = 'only the version that is stored is served'
  return [...said, `spec.conversion.webhook: conversion webhooks are not called here: ${only}`]
}
