import { expect, test } from 'vitest'
import { nowhere } from '../../../../test/build/terminal.ts'
import { excludeLabel } from '../../../core/model/node.ts'
import type { Api, ApiRequest } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { drain, undrain } from './drain.ts'

const refused = ({ method, path }: ApiRequest, code: number) => {
  const nothing = { reason: '', message: '', status: undefined, retryAfterMs: undefined }
  return new ApiError({ request: `${method} ${path}`, code, ...nothing })
}

type State = {
  /** The value of the label; undefined: none. */
  label: string | undefined
  /** Who announces each Service. */
  announced: Record<string, string>
  /** The nodes that announce each Service by BGP. */
  routed?: Record<string, readonly string[]>
  /** Writes of somebody else that come first. */
  conflicts: number
}

const status = ([name, node]: [string, string]) => ({
  metadata: { name: `l2-${name}`, labels: { 'metallb.io/node': node } },
  status: { node, serviceName: name, serviceNamespace: 'shop' },
})

const nodes = (): Buffer[] => {
  const items = [{ metadata: { name: 'node-1' } }]
  const metadata = { resourceVersion: '1' }
  return [Buffer.from(JSON.stringify({ kind: 'NodeList', apiVersion: 'v1', metadata, items }))]
}

/** A cluster of node-1 and node-2: what a drained node announced is taken over by the other. */
function clusterOf(state: State, takesOver = true): Api {
  const list = ({ query, path }: ApiRequest): Buffer[] => {
    const wanted = query?.['labelSelector']?.split('=')[1]
    const routed = Object.entries(state.routed ?? {}).flatMap(([name, nodes]) =>
      nodes.map((node): [string, string] => [name, node]),
    )
    const isBgp = path.includes('servicebgpstatuses')
    const items = (isBgp ? routed : Object.entries(state.announced))
      .filter(([, node]) => wanted === undefined || node === wanted)
      .map(status)
    const apiVersion = 'metallb.io/v1beta1'
    const metadata = { resourceVersion: '1' }
    const kind = 'ServiceL2StatusList'
    return [Buffer.from(JSON.stringify({ kind, apiVersion, metadata, items }))]
  }
  const patch = (request: ApiRequest): unknown => {
    if (state.conflicts-- > 0) throw refused(request, 409)
    state.label = Array.isArray(request.body) ? undefined : 'berth-drain'
    if (takesOver) {
      for (const name of Object.keys(state.announced)) state.announced[name] = 'node-2'
      for (const name of Object.keys(state.routed ?? {})) state.routed = { [name]: ['node-2'] }
    }
    return {}
  }
  return {
    async call(request) {
      if (/service(l2|bgp)statuses/.test(request.path)) return list(request)
      if (request.path.endsWith('/nodes')) return nodes()
      if (!request.path.endsWith('/node-1')) throw refused(request, 404)
      if (request.method === 'PATCH') return patch(request)
      const labels = state.label === undefined ? {} : { [excludeLabel]: state.label }
      return { metadata: { name: 'node-1', resourceVersion: '7', labels } }
    },
    stream: () => {
      throw new Error('nothing is watched')
    },
    close: () => undefined,
  }
}

const newState = (change: Partial<State> = {}): State => ({
  label: undefined,
  announced: { web: 'node-1', api: 'node-2' },
  conflicts: 0,
  ...change,
})

function terminal() {
  const said = { out: '', err: '' }
  const io = {
    ...nowhere,
    out: (text: string) => {
      said.out += text
    },
    err: (text: string) => {
      said.err += text
    },
  }
  return { said, io }
}

const options = { node: 'node-1', withinMs: 0, ownNamespace: 'metallb-system' }

test.each([
  { what: 'a node', state: newState(), out: 'node-1 announces nothing; 1 Service moved\n' },
  {
    what: 'one that was drained before',
    state: newState({ label: 'berth-drain', announced: {} }),
    out: 'node-1 announces nothing; 0 Services moved\n',
  },
  {
    what: 'one that announces by BGP',
    state: newState({ announced: {}, routed: { web: ['node-1', 'node-2'] } }),
    out: 'node-1 announces nothing; 1 Service moved\n',
  },
  {
    what: 'one that others write to as well',
    state: newState({ conflicts: 2 }),
    out: 'node-1 announces nothing; 1 Service moved\n',
  },
])('[R8.4] $what is drained', async ({ state, out }) => {
  const { said, io } = terminal()
  expect(await drain(clusterOf(state), options, io)).toBe(0)
  expect(said).toEqual({ out, err: '' })
  expect(state.label).toBe('berth-drain')
})

test('[R8.4] what does not move in time is told, and the node stays excluded', async () => {
  const { said, io } = terminal()
  const state = newState()
  expect(await drain(clusterOf(state, false), options, io)).toBe(1)
  expect(said.err).toContain('node-1 still announces 1 Service: shop/web')
  expect(state.label).toBe('berth-drain')
})

test('[R8.4] it waits for what is announced by BGP too', async () => {
  const { said, io } = terminal()
  const state = newState({ announced: {}, routed: { web: ['node-1'] } })
  expect(await drain(clusterOf(state, false), options, io)).toBe(1)
  expect(said.err).toContain('node-1 still announces 1 Service: shop/web')
})

test.each([
  { label: 'maintenance', node: 'node-1', err: 'node-1 is already excluded by' },
  { label: '', node: 'node-1', err: 'node-1 is already excluded by' },
  { label: undefined, node: 'node-9', err: 'node node-9 does not exist; did you mean node-1?' },
])('[R8.4] $node with label $label is refused both ways', async ({ label, node, err }) => {
  const state = newState({ label })
  for (const work of [
    (api: Api, io: typeof nowhere) => drain(api, { ...options, node }, io),
    (api: Api, io: typeof nowhere) => undrain(api, node, io),
  ]) {
    const { said, io } = terminal()
    expect(await work(clusterOf(state), io)).toBe(1)
    expect(said.err).toContain(err)
    expect(state.label).toBe(label)
  }
})

test.each([
  { label: 'berth-drain', out: 'node-1 may announce again\n' },
  { label: undefined, out: 'node-1 was not drained\n' },
])('[R8.4] undrain with label $label', async ({ label, out }) => {
  const { said, io } = terminal()
  const state = newState({ label })
  expect(await undrain(clusterOf(state), 'node-1', io)).toBe(0)
  expect(said).toEqual({ out, err: '' })
  expect(state.label).toBeUndefined()
})
