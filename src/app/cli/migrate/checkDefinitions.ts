// Can stored peers be read once MetalLB is gone? In which versions they are stored, and who
// converts them.
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { type CheckFinding, walkFixes } from './checkFinding.ts'

const group = 'metallb.io'
const peers = `bgppeers.${group}`

/** Without peers there is nothing to store again. */
export function definitionFindings(
  definitions: readonly Fields[],
  peerCount: number,
): CheckFinding[] {
  const stored = definitions.find((crd) => metaOf(crd).name === peers)
  return stored === undefined ? [] : peerFindings(stored, peerCount)
}

/** Those of MetalLB's group, by name. */
export const metallbDefinitions = (definitions: readonly unknown[]): Fields[] =>
  definitions
    .map((json) => new Fields(json, []))
    .filter((crd) => crd.inner('spec').text('group') === group)
    .sort((one, other) => (metaOf(one).name < metaOf(other).name ? -1 : 1))

function peerFindings(crd: Fields, peerCount: number): CheckFinding[] {
  const object = `CustomResourceDefinition/${peers}`
  const findings: CheckFinding[] = []
  const status = '{"status":{"storedVersions":["v1beta2"]}}'
  if (crd.inner('status').texts('storedVersions').includes('v1beta1')) {
    findings.push({
      code: 'peers-stored-as-v1beta1',
      severity: 'error',
      object,
      message:
        'BGPPeers may be stored as v1beta1, which only a conversion webhook can read: ' +
        'store them again while the MetalLB controller still runs',
      fixes: [
        ...(peerCount === 0
          ? []
          : [`kubectl get bgppeers.v1beta2.${group} -A -o json | kubectl replace -f -`]),
        `kubectl patch crd ${peers} --subresource=status --type=merge -p '${status}'`,
      ],
    })
  }
  const conversion = crd.inner('spec').inner('conversion').inner('webhook')
  const service = conversion.inner('clientConfig').inner('service').text('name')
  if (service !== '' && !service.startsWith('berth-')) {
    findings.push({
      code: 'conversion-by-metallb',
      severity: 'warning',
      object,
      message: `Service ${service} converts BGPPeers; without it v1beta1 cannot be read`,
      fixes: walkFixes,
    })
  }
  return findings
}
