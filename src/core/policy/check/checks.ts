// What is asked of an object of each kind before it is written or deleted? One row for each kind
// that the table of kinds says is judged; test/house/checks.test.ts compares the two.
import type { BgpMode, FieldError } from '../../model/admission.ts'
import type { Kind, View, ViewOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
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
import { checkPeer, checkPeerFits } from './checkPeers.ts'
import { checkPool, checkPoolFits } from './checkPools.ts'
import { checkSite } from './checkSite.ts'
import { checkSiteDelete } from './checkSiteDelete.ts'
import { checkSiteFits, vipsAreApart } from './checkSiteFits.ts'
import { checkTenantMade } from './checkTenantMade.ts'
import { checkTenantFits } from './checkTenantRanges.ts'
import { checkTenant, checkTenantDelete } from './checkTenants.ts'

export type KindCheck<V extends View> = {
  /** What is wrong with it for itself, or with what it claims that another one has. */
  own(world: ReadonlyWorld, view: V, before: V | undefined): readonly FieldError[]
  /** What does not fit beside objects that it does not own, and that may change without it. */
  fits?(world: ReadonlyWorld, view: V, bgpMode: BgpMode): readonly FieldError[]
  /** Whether it may be deleted. */
  deletion?(world: ReadonlyWorld, view: V): readonly FieldError[]
}

export const checks = {
  IPAddressPool: {
    own: checkPool,
    fits: checkPoolFits,
    // Its holders keep their addresses or are moved; who deletes it is warned (foresee.ts).
    deletion: () => [],
  },
  L2Advertisement: { own: (_, view) => checkL2Advertisement(view) },
  BGPAdvertisement: {
    own: (_, view) => checkBgpAdvertisement(view),
    fits: checkBgpAdvertisementFits,
  },
  BGPPeer: { own: (_, view, before) => checkPeer(view, before), fits: checkPeerFits },
  BFDProfile: {
    own: (_, view) => checkBfdProfile(view),
    fits: checkBfdProfileFits,
    deletion: checkBfdProfileDelete,
  },
  Community: { own: checkCommunity },
  Address: { own: (_, view) => checkAddress(view) },
  Tenant: {
    own: checkTenant,
    fits: (world, view) => [...checkTenantFits(world, view), ...checkTenantMade(world, view)],
    deletion: checkTenantDelete,
  },
  Site: {
    own(world, view, before) {
      const errors = checkSite(view, before)
      return errors.length > 0 ? errors : vipsAreApart(world, view)
    },
    fits: checkSiteFits,
    deletion: checkSiteDelete,
  },
  NetConfig: { own: checkNetConfig, deletion: checkNetConfigDelete },
  IPSet: { own: checkIpSet },
  DNSMasq: { own: (_, view) => checkDnsMasq(view) },
  DNSData: { own: (_, view) => checkSelector(view) },
  BGPConfiguration: { own: (_, view) => checkBgpConfiguration(view) },
} as const satisfies { readonly [K in Kind]?: KindCheck<ViewOf<K>> }
