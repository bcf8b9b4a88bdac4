// What runs in a lab with the real Kubernetes? Its own programs, as built by test/kube/engine.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../edge/kube/api/fault.ts'
import { apiPort } from './addresses.ts'
import { type Lab, machineNamed, nodesOf } from './lab.ts'
import { kubeconfigOf } from './labPaths.ts'
import { portOn } from './machine.ts'
import type { Asked } from './tasks.ts'

const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-proxy'] as const
const version = '1.36.3'

type Environment = Readonly<Record<string, string | undefined>>

/** The folder that contains all of them. */
export function findPrograms(env: Environment, home: string): string {
  const cache = env['XDG_CACHE_HOME'] || join(home, '.cache')
  const folder = env['KUBEBUILDER_ASSETS'] || join(cache, 'berth', `kube-${version}`)
  const missing = programs.filter((program) => !existsSync(join(folder, program)))
  if (missing.length === 0) return folder
  const build =
    "build them with 'bash test/kube/engine/build.sh kube-proxy' (ten minutes, needs Go)"
  throw new Fault(`${folder} does not have ${missing.join(', ')}: ${build}`)
}

const etcdUrl = 'http://127.0.0.1:2379'
const peerUrl = 'http://127.0.0.1:2380'

/** Both must run before anything else can start. */
export function kubeApiTasks(lab: Lab): readonly Asked[] {
  const api = join(lab.folder, 'api')
  const listen = portOn(machineNamed(lab, 'control'), 'mgmt')?.addresses[4] ?? ''
  const token = randomUUID()
  writeFileSync(join(api, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' })
  writeFileSync(join(api, 'accounts.key'), key, { mode: 0o600 })
  writeFileSync(kubeconfigOf(lab), kubeconfig(api, listen, token), { mode: 0o600 })
  return [
    task(lab, { role: 'etcd', machine: 'control' }, [
      ...[`--data-dir=${join(api, 'etcd')}`, '--unsafe-no-fsync', '--log-level=warn'],
      ...[`--listen-client-urls=${etcdUrl}`, `--advertise-client-urls=${etcdUrl}`],
      ...[`--listen-peer-urls=${peerUrl}`, `--initial-advertise-peer-urls=${peerUrl}`],
      `--initial-cluster=default=${peerUrl}`,
    ]),
    task(lab, { role: 'kube-apiserver', machine: 'control' }, [
      ...[`--etcd-servers=${etcdUrl}`, `--cert-dir=${join(api, 'certs')}`],
      ...[`--bind-address=${listen}`, `--secure-port=${apiPort}`],
      '--service-cluster-ip-range=10.96.0.0/16,fd10:96::/112',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${join(api, 'accounts.key')}`,
      `--service-account-signing-key-file=${join(api, 'accounts.key')}`,
      `--token-auth-file=${join(api, 'tokens.csv')}`,
      // Allows pods although no controller creates service accounts.
      ...['--authorization-mode=AlwaysAllow', '--disable-admission-plugins=ServiceAccount'],
    ]),
  ]
}

/** A kubeconfig is YAML, and JSON is YAML. */
function kubeconfig(api: string, listen: string, token: string): string {
  const cluster = {
    server: `https://${listen}:${apiPort}`,
    'certificate-authority': join(api, 'certs', 'apiserver.crt'),
  }
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'lab', cluster }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'lab', context: { cluster: 'lab', user: 'admin' } }],
    'current-context': 'lab',
  })
}

const controllers = ['endpointslice', 'namespace', 'garbage-collector'].map(
  (name) => `${name}-controller`,
)

export function kubeTasks(lab: Lab): readonly Asked[] {
  const access = `--kubeconfig=${kubeconfigOf(lab)}`
  return [
    task(lab, { role: 'kube-controller-manager', machine: 'control' }, [
      ...[access, `--controllers=${controllers.join(',')}`, '--leader-elect=false'],
      ...['--kube-api-qps=500', '--kube-api-burst=1000', '--secure-port=0'],
    ]),
    ...nodesOf(lab).map(({ name }) =>
      task(lab, { role: 'kube-proxy', machine: name }, [
        ...[access, '--proxy-mode=nftables', `--hostname-override=${name}`],
        '--conntrack-max-per-core=0',
      ]),
    ),
  ]
}

type Program = { readonly role: (typeof programs)[number]; readonly machine: string }

function task({ settings }: Lab, { role, machine }: Program, flags: readonly string[]): Asked {
  return { role, machine, command: [join(settings.programs, role), ...flags] }
}
