// May this object be as proposed, or go, beside all that is there? One check a kind, always of the
// one object: what is wrong with others never stands in its way (P6).
import type { Check, CheckDelete, FieldError } from '../../model/admission.ts'
import { checkAddress } from './checkAddress.ts'
import {
  checkBgpAdvertisement,
  checkCommunity,
  checkL2Advertisement,
} from './checkAdvertisements.ts'
import { checkBfdProfile, checkBfdProfileDelete } from './checkBfd.ts'
import { checkPeer } from './checkPeers.ts'
import { checkPool } from './checkPools.ts'
import { checkTenant, checkTenantDelete } from './checkTenants.ts'

/** What was wrong before, since circumstances changed, does not keep it from changing otherwise. */
export const check: Check = (world, proposed) => {
  const errors = errorsIn(world, proposed)
  const { before } = proposed
  if (errors.length === 0 || before === undefined) return errors
  const earlier = errorsIn(world, { ...proposed, view: before, before: undefined })
  const known = new Set(earlier.map(errorText))
  return errors.filter((error) => !known.has(errorText(error)))
}

const errorText = ({ path, message }: FieldError): string => `${path}: ${message}`

const errorsIn: Check = (world, { view, before, bgpMode }) => {
  switch (view.kind) {
    case 'IPAddressPool':
      return checkPool(world, view)
    case 'L2Advertisement':
      return checkL2Advertisement(view)
    case 'BGPAdvertisement':
      return checkBgpAdvertisement(world, view)
    case 'BGPPeer':
      return checkPeer(world, view, {
        before: before?.kind === 'BGPPeer' ? before : undefined,
        bgpMode,
      })
    case 'BFDProfile':
      return checkBfdProfile(world, view)
    case 'Community':
      return checkCommunity(world, view)
    case 'Address':
      return checkAddress(view)
    case 'Tenant':
      return checkTenant(world, view)
    default:
      return []
  }
}

export const checkDelete: CheckDelete = (world, view) => {
  if (view.kind === 'BFDProfile') return checkBfdProfileDelete(world, view)
  if (view.kind === 'Tenant') return checkTenantDelete(world, view)
  return []
}
