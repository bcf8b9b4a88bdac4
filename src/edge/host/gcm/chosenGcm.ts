// Who seals? The OpenSSL that is part of Node, called directly where it can be; otherwise
// node:crypto. The same bytes come of both.
import type { Gcm } from './gcm.ts'
import { nodeGcm } from './nodeGcm.ts'
import { opensslGcm } from './opensslGcm.ts'

let chosen: Gcm | undefined

/** Chosen by the first who asks. */
export function chosenGcm(): Gcm {
  chosen ??= opensslGcm() ?? nodeGcm
  return chosen
}
