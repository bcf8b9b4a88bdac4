// Do pools and peers survive the removal of MetalLB? Who owns their definitions, and who converts
// stored objects?
import { counted } from '../../../core/net/counted.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import type { CheckFinding } from './checkFinding.ts'

const group = 'metallb.io'
const peers = `bgppeers.${group}`

/** Without peers there is nothing to store again. */
export function definitionFindings(
  definitions: readonly unknown[],
  peerCount: number,
): CheckFinding[] {
  const ours = definitions
    .map((json) => new Fields(json, []))
    .filter((crd) => crd.inner('spec').text('group') === group)
    .sort((one, other) => (metaOf(one).name < metaOf(other).name ? -1 : 1))
  const stored = ours.find((crd) => metaOf(crd).name === peers)
  return [...helmFindings(ours), ...(stored === undefined ? [] : peerFindings(stored, peerCount))]
}

type Release = { readonly name: string; readonly namespace: string }

function releaseOf(crd: Fields): Release | undefined {
  const { labels, annotations } = metaOf(crd)
  const name = annotations['meta.helm.sh/release-name'] ?? ''
  const isManaged = labels['app.kubernetes.io/managed-by'] === 'Helm'
  if (name === '' && !isManaged) return undefined
  return {
    name: name || 'metallb',
    namespace: annotations['meta.helm.sh/release-namespace'] || 'metallb-system',
  }
}

/** One for each release: uninstalling it deletes the definitions, and with them every object. */
function helmFindings(crds: readonly Fields[]): CheckFinding[] {
  const releases = new Map<string, { release: Release; names: string[] }>()
  for (const crd of crds) {
    const release = releaseOf(crd)
    if (release === undefined) continue
    const key = `${release.namespace}/${release.name}`
    const known = releases.get(key) ?? { release, names: [] }
    releases.set(key, { release, names: [...known.names, metaOf(crd).name] })
  }
  return [...releases.values()].map(({ release, names }) => ({
    code: 'crds-owned-by-helm',
    severity: 'error',
    object: `Release/${release.namespace}/${release.name}`,
    message:
      `uninstalling the Helm release ${release.name} deletes ` +
      `${counted(names.length, 'definition')} and every pool with them; ` +
      'remove them from the release first',
    fixes: takenOut(release, names.join(' ')),
  }))
}

/**
 * An upgrade honours the annotation on the object, uninstalling only the one in the release. So an
 * upgrade to the same chart version removes them from the release, and then its labels go.
 */
const takenOut = ({ name, namespace }: Release, crds: string): string[] => [
  `kubectl annotate crd ${crds} helm.sh/resource-policy=keep --overwrite`,
  `helm -n ${namespace} upgrade ${name} metallb/metallb --reuse-values --set crds.enabled=false`,
  `kubectl annotate crd ${crds} meta.helm.sh/release-name- meta.helm.sh/release-namespace-`,
  `kubectl label crd ${crds} app.kubernetes.io/managed-by-`,
]

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
      fixes: ['berth crds | kubectl apply --server-side --force-conflicts -f -'],
    })
  }
  return findings
}
