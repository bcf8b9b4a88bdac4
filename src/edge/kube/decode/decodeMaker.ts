// From what was an object made (R4.19)? Its owner says so; without one, as after a restore from a
// backup, our labels do.
import type { Made } from '../../../core/model/made.ts'
import type { Labels } from '../../../core/model/selector.ts'
import { berth, isManaged } from '../annotations.ts'
import { metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function madeOf(object: Fields): Made {
  const maker = makerOf(object)
  return maker === '' ? {} : { maker }
}

/** Of a Service, with its labels: nothing else is made from anything. */
export function madeFromSite(object: Fields, labels: Labels): Made {
  const owners = object.inner('metadata').each('ownerReferences')
  const isRestored = isManaged(labels) && labels[berth.site] !== undefined
  if (owners.length === 0 && !isRestored) return {}
  const maker = makerOf(object)
  return maker.startsWith('Site/') ? { maker } : {}
}

function makerOf(object: Fields): string {
  const { labels } = metaOf(object)
  const owners = object.inner('metadata').each('ownerReferences')
  const owner = owners.find(isMaker)
  if (owner !== undefined) return `${owner.text('kind')}/${owner.text('name')}`
  const tenant = labels[berth.tenant] ?? ''
  if (owners.length > 0 || !isManaged(labels)) return ''
  if (tenant !== '') return `Tenant/${tenant}`
  const site = labels[berth.site] ?? ''
  return site === '' ? '' : `Site/${site}`
}

const isMaker = (reference: Fields): boolean =>
  ['Tenant', 'Site'].includes(reference.text('kind')) &&
  reference.text('apiVersion').startsWith('berth.dev/')
