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

function makerOf(object: Fields): string {
  const { labels } = metaOf(object)
  const owners = object.inner('metadata').each('ownerReferences')
  const owner = owners.find(isMaker)
  if (owner !== undefined) return `${owner.text('kind')}/${owner.text('name')}`
  const tenant = labels[berth.tenant] ?? ''
  const isRestored = owners.length === 0 && isManaged(labels) && tenant !== ''
  return isRestored ? `Tenant/${tenant}` : ''
}

const isMaker = (reference: Fields): boolean =>
  ['Tenant', 'Site'].includes(reference.text('kind')) &&
  reference.text('apiVersion').startsWith('berth.dev/')
