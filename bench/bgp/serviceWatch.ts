// When does the API tell of an address? Creates a Service for each line on standard input, and reports when
// a watch first shows its address. Runs where the API is.
import process from 'node:process'
import { createInterface } from 'node:readline'
import { apiAt } from '../../src/app/lab/inside/labApi.ts'
import { servedBy } from './services.ts'

const api = await apiAt(process.argv[2] ?? '')
const nowMs = (): number => performance.timeOrigin + performance.now()

createInterface({ input: process.stdin }).on('line', async (line) => {
  for (const { path, body } of servedBy(Number(line)).toReversed()) {
    await api.call({ method: 'POST', path: path.slice(0, path.lastIndexOf('/')), body })
  }
})

const seen = new Set<string>()
const query = { watch: 'true', resourceVersion: '0' }
for await (const line of api.stream({ method: 'GET', path: '/api/v1/services', query })) {
  const atMs = nowMs()
  const [, address] = /"ingress":\[\{"ip":"([^"]+)"/.exec(line) ?? []
  if (address === undefined || seen.has(address)) continue
  seen.add(address)
  process.stdout.write(`${JSON.stringify({ address, atMs })}\n`)
}
