// From what was an object made (R4.19)? Its owner says so; without one, as after a restore from a
// backup, our labels do.
import type { Made } from '../../../core/model/made.ts'
import { berth, isManaged } from '../annotations.ts'
import { metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function madeOf(object: Fields): Made {
  const maker = makerOf(object)
  return maker === '' ? {} : { maker }
}

/** Of a Service: nothing else is made from anything. */
export function madeFromSite(object: Fields): Made {
  const owners = object.inner('metadata').each('ownerReferences')
  if (owners.length === 0 && !isRestoredSite(object)) return {}
  const maker = makerOf(object)
  return maker.startsWith('Site/') ? { maker } : {}
}

const isRestoredSite = (object: Fields): boolean => {
  const { labels } = metaOf(object)
  return isManaged(labels) && labels[berth.site] !== undefined
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
