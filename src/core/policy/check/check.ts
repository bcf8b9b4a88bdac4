// May this object be as proposed, or go, beside all that is there? One check a kind, always of the
// one object: what is wrong with others never stands in its way (P6).
import type { Check, CheckDelete, FieldError, Proposed } from '../../model/admission.ts'
import { errorText } from '../../model/fieldError.ts'
import { checkIpSet } from '../ipam/checkIpSet.ts'
import { checkNetConfig, checkNetConfigDelete } from '../ipam/checkNetConfig.ts'
import { checkDnsMasq, checkSelector } from '../names/checkDns.ts'
import { checkBgpConfiguration } from '../podRoutes/checkBgpConfiguration.ts'
import { checkAddress } from './checkAddress.ts'
import {
  checkBgpAdvertisement,
  checkBgpAdvertisementFits,
  checkCommunity,
  checkL2Advertisement,
} from './checkAdvertisements.ts'
import { checkBfdProfile, checkBfdProfileDelete, checkBfdProfileFits } from './checkBfd.ts'
import { checkMaker } from './checkMaker.ts'
import { checkPeer, checkPeerFits } from './checkPeers.ts'
import { checkPool, checkPoolFits } from './checkPools.ts'
import { checkSite } from './checkSite.ts'
import { checkSiteDelete } from './checkSiteDelete.ts'
import { checkSiteFits, vipsAreApart } from './checkSiteFits.ts'
import { checkTenantMade } from './checkTenantMade.ts'
import { checkTenantFits } from './checkTenantRanges.ts'
import { checkTenant, checkTenantDelete } from './checkTenants.ts'

/** Of what somebody wants to write. */
export const check: Check = (world, proposed) =>
  news(proposed, (one) => {
    const errors = [...checkMaker(world, one.view, one.before), ...errorsIn(world, one)]
    return errors.length > 0 ? errors : misfits(world, one)
  })

/**
 * Of what the API holds already (R9.1): a Node, a profile or an advertisement that changed since
 * may contradict it, and that is a problem to report, not a reason to take it out of use.
 */
export const checkHeld: Check = (world, proposed) => news(proposed, (one) => errorsIn(world, one))

/** What was wrong before, since circumstances changed, does not keep it from changing otherwise. */
function news(
  proposed: Proposed,
  errorsOf: (proposed: Proposed) => readonly FieldError[],
): readonly FieldError[] {
  const errors = errorsOf(proposed)
  const { before } = proposed
  if (errors.length === 0 || before === undefined) return errors
  const earlier = errorsOf({ ...proposed, view: before, before: undefined })
  const known = new Set(earlier.map(errorText))
  return errors.filter((error) => !known.has(errorText(error)))
}

/** What is wrong with it for itself, or with what it claims that another one has. */
const errorsIn: Check = (world, { view, before }) => {
  switch (view.kind) {
    case 'IPAddressPool':
      return checkPool(world, view)
    case 'L2Advertisement':
      return checkL2Advertisement(view)
    case 'BGPAdvertisement':
      return checkBgpAdvertisement(view)
    case 'BGPPeer':
      return checkPeer(view, before?.kind === 'BGPPeer' ? before : undefined)
    case 'BFDProfile':
      return checkBfdProfile(view)
    case 'Community':
      return checkCommunity(world, view)
    case 'Address':
      return checkAddress(view)
    case 'Tenant':
      return checkTenant(world, view)
    case 'Site': {
      const errors = checkSite(view, before?.kind === 'Site' ? before : undefined)
      return errors.length > 0 ? errors : vipsAreApart(world, view)
    }
    case 'NetConfig':
      return checkNetConfig(world, view, before?.kind === 'NetConfig' ? before : undefined)
    case 'IPSet':
      return checkIpSet(world, view, before?.kind === 'IPSet' ? before : undefined)
    case 'DNSMasq':
      return checkDnsMasq(view)
    case 'DNSData':
      return checkSelector(view)
    case 'BGPConfiguration':
      return checkBgpConfiguration(view)
    default:
      return []
  }
}

/** What does not fit beside objects that it does not own, and that may change without it. */
const misfits: Check = (world, { view, bgpMode }) => {
  switch (view.kind) {
    case 'IPAddressPool':
      return checkPoolFits(world, view)
    case 'BGPAdvertisement':
      return checkBgpAdvertisementFits(world, view)
    case 'BGPPeer':
      return checkPeerFits(world, view, bgpMode)
    case 'BFDProfile':
      return checkBfdProfileFits(world, view)
    case 'Tenant':
      return [...checkTenantFits(world, view), ...checkTenantMade(world, view)]
    case 'Site':
      return checkSiteFits(world, view)
    default:
      return []
  }
}

export const checkDelete: CheckDelete = (world, view) => {
  if (view.kind === 'BFDProfile') return checkBfdProfileDelete(world, view)
  if (view.kind === 'Tenant') return checkTenantDelete(world, view)
  if (view.kind === 'Site') return checkSiteDelete(world, view)
  if (view.kind === 'NetConfig') return checkNetConfigDelete(world, view)
  return []
}
