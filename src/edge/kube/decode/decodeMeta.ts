// What do all objects have in common? Metadata, and selectors wherever labels are matched.
import type { Labels, Selector } from '../../../core/model/selector.ts'
import type { Fields } from './fields.ts'

type Meta = {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly createdAt: string
  readonly labels: Labels
  readonly annotations: Labels
}

/** Joined: a template leaves each key a chain of pieces, which takes twice the memory. */
export const keyFrom = (namespace: string, name: string): string => [namespace, name].join('/')

export function metaOf(object: Fields): Meta {
  const metadata = object.inner('metadata')
  return {
    name: metadata.text('name'),
    namespace: metadata.text('namespace'),
    uid: metadata.text('uid'),
    resourceVersion: metadata.text('resourceVersion'),
    createdAt: metadata.text('creationTimestamp'),
    labels: metadata.labels('labels'),
    annotations: metadata.labels('annotations'),
  }
}

/**
 * Since when an object says what it says (R9.2): since it was made, or edited. A label or
 * a status is no edit of its specification, and counts no generation.
 */
export function specifiedAt(object: Fields): string {
  const metadata = object.inner('metadata')
  const created = metadata.text('creationTimestamp')
  if ((metadata.number('generation') ?? 1) <= 1) return created
  const edits = metadata
    .each('managedFields')
    .filter((one) => one.text('subresource') === '' && one.inner('fieldsV1').has('f:spec'))
    .map((one) => one.text('time'))
  return edits.reduce((last, time) => (time > last ? time : last), created)
}

/** Another one when the object is edited, or deleted and created anew; undefined: not stored. */
export function specVersionOf(object: Fields): string | undefined {
  const metadata = object.inner('metadata')
  const [uid, generation] = [metadata.text('uid'), metadata.number('generation')]
  return uid === '' || generation === undefined ? undefined : `${uid}/${generation}`
}

/** The metadata that the kinds of metallb.io keep. */
export function namedOf(object: Fields) {
  const { name, namespace, createdAt } = metaOf(object)
  return { name, namespace, createdAt }
}

export function selectorOf(selector: Fields): Selector {
  return {
    matchLabels: selector.labels('matchLabels'),
    matchExpressions: selector.each('matchExpressions').map((expression) => ({
      key: expression.text('key'),
      operator: expression.text('operator'),
      values: expression.texts('values'),
    })),
  }
}

export const selectorsOf = (parent: Fields, name: string): readonly Selector[] =>
  parent.each(name).map(selectorOf)
