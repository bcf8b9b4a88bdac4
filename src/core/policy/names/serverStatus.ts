// What does the status of a DNSMasq say? Where it answers, from what, and what is missing (R13.6).
import type { JsonObject } from '../../model/gate.ts'
import type { DeploymentView, DnsMasq } from '../../model/names/dns.ts'
import { refOf } from '../../model/ref.ts'
import { isSame } from '../../model/sameView.ts'
import type { ServiceView } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { StatusWrite } from '../../model/write.ts'
import { conditionsAfter, type Said, saidError, saidProgress, saidTrue } from '../libConditions.ts'
import { serviceDataName } from './decideServiceNames.ts'
import { toldOfOption } from './dnsOptions.ts'
import { serverName } from './serverService.ts'

type Made = 'account' | 'role' | 'binding' | 'config'
type Known = {
  readonly server: DnsMasq
  readonly objects: Readonly<Record<Made, JsonObject>>
  readonly input: string
  /** Whether the Topology that it names is there, if it names one. */
  readonly isPlaced: boolean
  /** The options that dnsmasq tests before it starts. */
  readonly tested: string
  readonly now: string
}

/** Undefined where the status says so already. */
export function serverStatus(world: ReadonlyWorld, known: Known): StatusWrite | undefined {
  const { server, input, isPlaced, now } = known
  const { kind, name, namespace, generation, status, topology } = server
  const key = `${namespace}/${serverName(server)}`
  const service = world.services.get(key)
  const deployment = world.all('Deployment').get(key)
  const fields = {
    hash: { input },
    readyCount: deployment?.readyReplicas ?? 0,
    dnsAddresses: addressesOf(service, deployment),
    dnsClusterAddresses: service?.clusterIps ?? [],
    observedGeneration: generation,
    lastAppliedTopology: isPlaced ? topology : status.fields['lastAppliedTopology'],
  }
  const conditions = conditionsAfter(
    status.conditions,
    saidOf(world, known, { service, deployment }),
    now,
  )
  const isRight =
    isSame(status.conditions, conditions) && isSame(present(status.fields), present(fields))
  const of = { kind, name, namespace }
  return isRight ? undefined : { type: 'status', of, fields: { ...fields, conditions } }
}

const present = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

function addressesOf(
  service: ServiceView | undefined,
  deployment: DeploymentView | undefined,
): readonly string[] {
  if (deployment !== undefined && deployment.answersAt.length > 0) return deployment.answersAt
  return service?.isLoadBalancer === true ? service.ingress : []
}

type Seen = {
  readonly service: ServiceView | undefined
  readonly deployment: DeploymentView | undefined
}

function saidOf(
  world: ReadonlyWorld,
  { server, objects, isPlaced, tested }: Known,
  { service, deployment }: Seen,
): Readonly<Record<string, Said>> {
  const maker = `DNSMasq/${server.name}`
  const refusalOf = (of: JsonObject) => world.obstacles.refusalOf(refOf(of), maker) ?? ''
  const made = (of: Made, what: string) =>
    orError(refusalOf(objects[of]), `${what} created`, `${what} create error occurred`)
  const { namespace } = server
  const place = (one: string, name: string) =>
    refusalOf({ kind: one, metadata: { namespace, name } })
  const [unread] = server.unread
  const bad = unread === undefined ? '' : `${unread.path}: ${unread.message}`
  const names = place('DNSData', serviceDataName(server))
  const config = bad || refusalOf(objects.config) || names
  const { topology } = server
  return {
    InputReady: saidTrue('Input data complete'),
    ServiceConfigReady: orError(config, 'Service config create completed', configError),
    ServiceAccountReady: made('account', 'ServiceAccount'),
    RoleReady: made('role', 'Role'),
    RoleBindingReady: made('binding', 'RoleBinding'),
    CreateServiceReady: serviceSaid(service, place('Service', serverName(server))),
    DeploymentReady: deploymentSaid(deployment, {
      refusal: place('Deployment', serverName(server)),
      ofPods: toldOfPods(server, place('Pod', serverName(server)), tested),
    }),
    ...(topology === undefined ? {} : { TopologyReady: topologySaid(topology, isPlaced) }),
  }
}

function topologySaid({ name, namespace }: Topology, isPlaced: boolean): Said {
  if (isPlaced) return saidTrue('Topology config create completed')
  const missing = `Topology/${namespace}/${name} is not there`
  const remedy = 'create it, or remove topologyRef from the DNSMasq'
  return saidError(`Topology config create error occurred ${missing}: ${remedy}`)
}
type Topology = NonNullable<DnsMasq['topology']>

const configError = 'Service config create error occurred'

const orError = (why: string, complete: string, error: string): Said =>
  why === '' ? saidTrue(complete) : saidError(`${error} ${why}`)

function serviceSaid(service: ServiceView | undefined, refusal: string): Said {
  const error = 'Create service error occurred'
  if (refusal !== '') return saidError(`${error} ${refusal}`)
  if (service === undefined) return saidProgress('Create service in progress')
  const { isLoadBalancer, ingress, hasOtherIngress, key } = service
  const isPending = isLoadBalancer && ingress.length === 0 && !hasOtherIngress
  if (!isPending) return saidTrue('Create service completed')
  return { ...saidError(`${error} ${key} LoadBalancer IP still pending`), severity: 'Warning' }
}

/** What keeps a pod from starting, as one of its containers says it. */
function toldOfPods({ options }: DnsMasq, said: string, tested: string): string {
  return said.includes('dnsmasq: ') ? toldOfOption(options, { said, tested }) : said
}

type PodsKnown = { readonly refusal: string; readonly ofPods: string }

function deploymentSaid(
  deployment: DeploymentView | undefined,
  { refusal, ofPods }: PodsKnown,
): Said {
  const error = 'Deployment error occurred'
  if (refusal !== '') return saidError(`${error} ${refusal}`)
  if (deployment === undefined) return saidProgress('Deployment in progress')
  const { trouble, generation, observedGeneration } = deployment
  const { replicas, currentReplicas, updatedReplicas, readyReplicas } = deployment
  const areNew = updatedReplicas >= replicas && updatedReplicas >= currentReplicas
  const isDone = observedGeneration >= generation && areNew && readyReplicas >= replicas
  const why = (isDone ? '' : ofPods) || trouble
  if (why !== '') return saidError(`${error} ${why}`)
  return isDone ? saidTrue('Deployment completed') : saidProgress('Deployment in progress')
}
