// berth tenant: what a tenant needs where Berth does not run, and tenants from what exists.
import { givenIn, givenOptions, isGiven } from '../given.ts'
import type { Exit, Io } from '../io.ts'
import { asksLive, liveOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { type Loaded, load, newSession } from '../load.ts'
import { type Arguments, isSet, textOf, textsOf, UsageError, type Verb } from '../verb.ts'
import { tellingFaults } from '../writeInFolder.ts'
import { renderControlPlanes } from './renderControlPlanes.ts'
import { renderForMetallb } from './renderForMetallb.ts'
import { type Rendering, tenantsFrom } from './rendering.ts'
import { importEnvironments, importTenants } from './tenantImport.ts'

export const tenantVerb: Verb = {
  name: 'tenant',
  summary: 'propose Tenants for what exists; render Tenants for unmodified MetalLB',
  usage: [
    'tenant render -f FILE|DIR... [--for metallb] [--output-dir DIR] [--live] [--check]',
    'tenant render -f FILE|DIR... --by overlay|patch [--live] [--output-dir DIR] [--check]',
    'tenant import -f FILE|DIR... | -k DIR... | --live',
    'tenant import --env FILE... [-f FILE|DIR... | --live]',
  ],
  description: `
'render' prints what unmodified MetalLB needs so that Services get their addresses as the Tenants
say, each tenant from its own range although all of them ask for the same pool.

By default it changes nothing in OpenStack: it prints the namespaces, a pool <tenant>-<network> for
each network, its advertisements, and admission policies for each tenant, which Kubernetes 1.36 and
newer runs without any further program. In the tenant's namespaces the policies add the annotations
metallb.io/address-pool, metallb.io/loadBalancerIPs (translated) and metallb.io/allow-shared-ip to
Services of type LoadBalancer, next to what OpenStack's operators write. MetalLB reads these first.
A Service that asks for a pool or an address that is not its tenant's is refused with the reason.

--by changes the OpenStackControlPlane instead, for older Kubernetes: 'overlay' prints a component
for kustomize, 'patch' a JSON patch for kubectl. The control plane is read from the files, or from
the running API with --live. Services that are switched off are left out.

--check prints only what is not as it would be rendered: objects that are missing, different or no
longer wanted in the running API (--live) or in the folder of --output-dir, or with --by the fields
of the control plane. What was rendered for a Tenant that is not in the files is told and left.

'import' prints Tenants that take over what is there: one for each namespace with a control plane,
attachments or a NetConfig, and the pools that it alone uses, which keep their names and get the
label berth.dev/tenant. It tells what it could not place, and plans the proposal: nothing should
move. With --env it reads environment files of install_yamls (OPENSTACK_NAMESPACE or NAMESPACE,
NETWORK_*_ADDRESS_PREFIX, NETWORK_VLAN_START, NETWORK_VLAN_STEP, NNCP_INTERFACE, NNCP_BRIDGE,
METALLB_POOL, BGP_*) without executing them; one that names no namespace gives plain pools for
everybody.

Exit status: 0 rendered, or nothing would move; 2 --check: something is stale, import: something
would move; 1 something could not be read, reached, translated or would be refused, or with --by no
Service belongs to a tenant.`,
  examples: [
    'berth tenant render -f tenant.yaml --for metallb | kubectl apply -f -',
    'berth tenant render -f tenant.yaml --for metallb --check --live',
    'berth tenant render -f tenant.yaml -f controlplane.yaml --by overlay --output-dir openstack2',
    'berth tenant render -f tenant.yaml --by patch --live',
    'berth tenant import --live > tenants.yaml',
    'berth tenant import --env rhoso1-config.env --env rhoso2-config.env',
  ],
  words: ['render', 'import'],
  takes: 1,
  options: {
    ...givenOptions,
    ...liveOptions,
    live: { type: 'boolean', help: 'read the running API' },
    env: {
      type: 'string',
      multiple: true,
      value: 'FILE',
      help: 'environment file of install_yamls; read, never executed',
    },
    for: {
      type: 'string',
      value: 'WHOM',
      choices: ['metallb'],
      help: 'who gives the addresses (default metallb)',
    },
    by: {
      type: 'string',
      value: 'HOW',
      choices: ['policy', 'overlay', 'patch'],
      help: 'how Services are led to their pool',
    },
    check: { type: 'boolean', help: 'print what is stale, and exit 2 if anything is' },
    'output-dir': { type: 'string', value: 'DIR', help: 'write files there' },
  },
  run(args, io): Promise<Exit> {
    return args.positionals[0] === 'render' ? render(args, io) : importAll(args, io)
  },
}

async function importAll(args: Arguments, io: Io): Promise<Exit> {
  const [given, environments, isLive] = [givenIn(args), textsOf(args, 'env'), asksLive(args)]
  if (isGiven(given) && isLive) throw new UsageError('give either files or --live')
  if (!isGiven(given) && !isLive && environments.length === 0) {
    throw new UsageError('say from what: -f FILE|DIR, --env FILE or --live')
  }
  const session = await newSession(io, liveSettings(args, io))
  const work = (there: Loaded): Promise<Exit> =>
    environments.length > 0
      ? importEnvironments(session, there, environments)
      : importTenants(session, there)
  if (!isLive) return work(await load(session, given))
  return withLive(args, io, async ({ api }) => work(await loadLive(session, api)))
}

async function render(args: Arguments, io: Io): Promise<Exit> {
  const given = givenIn(args)
  if (!isGiven(given)) throw new UsageError('name the files with the Tenants: -f FILE|DIR')
  const by = textOf(args, 'by') || 'policy'
  const isChecked = isSet(args, 'check')
  const folder = textOf(args, 'output-dir')
  if (by === 'policy' && isChecked && !asksLive(args) && folder === '') {
    throw new UsageError(
      '--check compares with the running API or a folder: add --live, --context or --output-dir',
    )
  }
  const session = await newSession(io, liveSettings(args, io))
  const tenants = await tenantsFrom(session, given)
  if (tenants === undefined) return 1
  const rendering: Rendering = { ...tenants, isChecked, folder }
  const work = by === 'policy' ? renderForMetallb : renderControlPlanes(by)
  if (!asksLive(args)) return tellingFaults(io, () => work(session, rendering, undefined))
  return withLive(args, io, ({ api }) => work(session, rendering, api))
}
