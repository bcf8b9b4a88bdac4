// Which scenarios cannot run on a running API, or only in part, and why? What is not possible is
// said and counted, never passed over.
import type { Json } from '../../../core/model/json.ts'
import type { Scenario } from '../../../core/sim/scenario.ts'
import { Fields, isRecord } from '../../../edge/kube/decode/fields.ts'
import type { Target, Wants } from './target.ts'

export const manifestsOf = ({ given, steps }: Scenario): readonly Json[] => [
  ...given,
  ...steps.flatMap(({ apply }) => apply),
]

/** A Service that prefers two families and has one says that the cluster has one. */
export const wantsOf = (scenario: Scenario): Wants => ({
  bgpMode: scenario.bgpMode,
  isSingleStack: manifestsOf(scenario).some((json) => {
    const spec = new Fields(json, []).inner('spec')
    const isGiven = spec.texts('clusterIPs').length === 1 || spec.text('clusterIP') !== ''
    return (
      json['kind'] === 'Service' && spec.text('ipFamilyPolicy') === 'PreferDualStack' && isGiven
    )
  }),
})

export const noSuchCluster = ({ bgpMode, isSingleStack }: Wants): string =>
  isSingleStack ? 'it needs a single-stack cluster' : `it needs a controller in ${bgpMode} mode`

const rules: readonly (readonly [
  applies: (scenario: Scenario, target: Target) => boolean,
  why: string,
])[] = [
  [
    ({ steps }) => steps.some(({ nodesDown, nodesUp }) => nodesDown.length + nodesUp.length > 0),
    'nodes go down in it, and no speakers run on them',
  ],
  [
    ({ steps }) => steps.some(({ restart }) => restart.includes('speakers')),
    'speakers are restarted in it, and none run',
  ],
  [
    ({ steps }, { controller }) =>
      controller === undefined && steps.some(({ restart }) => restart.includes('controller')),
    'the controller is restarted in it, and is not ours to restart',
  ],
  [
    (scenario, { controller }) =>
      controller === undefined && manifestsOf(scenario).some(isServiceWithStatus),
    'a Service comes with a status, and the controller cannot be held back until it is written',
  ],
  [
    (scenario) =>
      scenario.steps.some(({ advanceSeconds }) => advanceSeconds > 0) &&
      manifestsOf(scenario).some(isMoving),
    'a move in it ends at a stated time, and only virtual time passes at will',
  ],
  [
    (scenario) => manifestsOf(scenario).some(({ kind }) => kind === 'Pod'),
    'pods run in it, and no kubelet runs them',
  ],
  [
    (scenario) => manifestsOf(scenario).some(isIdentified),
    'it says which uid an object has, and the API gives those',
  ],
]

export const whyNot = (scenario: Scenario, target: Target): string | undefined =>
  rules.find(([applies]) => applies(scenario, target))?.[1]

/** What is expected and cannot be seen. */
export const unseen = ({ steps }: Scenario): readonly string[] => [
  ...(steps.some(({ expect }) => (expect.announcements ?? expect.nodesCount) !== undefined)
    ? ['announcements: no speakers run']
    : []),
  ...(steps.some(({ expect }) => expect.sessions !== undefined)
    ? ['sessions: no speakers run']
    : []),
]

const isServiceWithStatus = (json: Json): boolean =>
  json['kind'] === 'Service' && isRecord(json['status'])

const isMoving = (json: Json): boolean =>
  json['kind'] === 'Site' && new Fields(json, []).inner('spec').has('move')

function isIdentified(json: Json): boolean {
  const object = new Fields(json, [])
  const holders = json['kind'] === 'Address' ? object.inner('spec').each('holders') : []
  const metadata = object.inner('metadata')
  return [metadata, ...holders].some((one) => one.text('uid') !== '')
}
