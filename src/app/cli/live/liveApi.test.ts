import { join } from 'node:path'
import { expect, test } from 'vitest'
import { berth, folderOf, nowhere } from '../../../../test/build/terminal.ts'
import { withCluster, withLive } from './liveApi.ts'

const kubeconfig = (port: number): string => `apiVersion: v1
kind: Config
clusters: [{name: here, cluster: {server: 'https://127.0.0.1:${port}'}}]
users: [{name: me, user: {token: x}}]
contexts: [{name: here, context: {cluster: here, user: me}}]
current-context: here
`

type Given = { readonly env?: Record<string, string>; readonly kubeconfig?: string }

/** Whom it asks, and what it says of that. */
async function asked(reach: typeof withLive, { env = {}, kubeconfig: file = '' }: Given) {
  const folder = folderOf({ local: kubeconfig(7443), '.kube/config': kubeconfig(6443) })
  const said: string[] = []
  const io = {
    ...nowhere,
    env: Object.fromEntries(Object.entries(env).map(([name, path]) => [name, join(folder, path)])),
    home: env['HOME'] === undefined ? '/nowhere' : folder,
    err: (text: string) => said.push(text),
    localKubeconfig: async () => join(folder, 'local'),
  }
  const values = file === '' ? {} : { kubeconfig: join(folder, file) }
  let server = ''
  const exit = await reach({ positionals: [], values }, io, async ({ connection }) => {
    server = connection.server.origin
    return 0
  })
  return { exit, server, said: said.join('').replaceAll(folder, '.') }
}

test("where no kubeconfig is found, the 'berth up' that runs here is asked, and that is said", async () => {
  expect(await asked(withLive, {})).toEqual({
    exit: 0,
    server: 'https://127.0.0.1:7443',
    said: "berth: no kubeconfig is named: asking the 'berth up' that runs here, https://127.0.0.1:7443\n",
  })
})

test.each<{ way: string; given: Given }>([
  { way: 'at home', given: { env: { HOME: '' } } },
  { way: 'in KUBECONFIG', given: { env: { KUBECONFIG: '.kube/config' } } },
  { way: 'by --kubeconfig', given: { kubeconfig: '.kube/config' } },
])('an API that is named $way is asked instead', async ({ given }) => {
  const { server, said } = await asked(withLive, given)
  expect([server, said]).toEqual(['https://127.0.0.1:6443', ''])
})

test('a kubeconfig that is named and not there is no reason to ask another API', async () => {
  const { exit, server, said } = await asked(withLive, { env: { KUBECONFIG: 'missing' } })
  expect([exit, server]).toEqual([1, ''])
  expect(said).toMatch(/^berth: no API server is named: there is no kubeconfig at .*missing/)
})

test('what changes a cluster is never done to one that nobody named', async () => {
  const { exit, server, said } = await asked(withCluster, {})
  expect([exit, server]).toEqual([1, ''])
  expect(said).toContain("if you mean the 'berth up' that runs here, add --kubeconfig ./local\n")
})

test('an API that cannot be reached is said once', async () => {
  const file = join(folderOf({ dead: kubeconfig(1) }), 'dead')
  const said: string[] = []
  const io = { ...nowhere, err: (text: string) => said.push(text) }
  const exit = await withLive(
    { positionals: [], values: { kubeconfig: file } },
    io,
    async ({ api }) => {
      await api.call({ method: 'GET', path: '/version' })
      return 0
    },
  )
  expect(exit).toBe(1)
  expect(said).toEqual([
    'berth: the API server https://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
  ])
})

test.each([
  [['drain', 'worker-1']],
  [['undrain', 'worker-1']],
  [['site', 'apply', '--api-vip', '192.0.2.1']],
  [['site', 'commit']],
  [['site', 'rollback']],
])('berth %j changes nothing on an API that nobody named', async (args) => {
  const local = join(folderOf({ local: kubeconfig(1) }), 'local')
  const { exit, err } = await berth(args, { localKubeconfig: async () => local })
  expect(err).toMatch(/^berth: no API server is named: .*; if you mean the 'berth up' that runs/)
  expect(exit).toBe(1)
})
