// How soon is an address back when its node is lost? Parts can be run alone (`--part gap --losses
// 10`, `--only Berth`); a run of all of them writes docs/bench/layer2.md.
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine } from '../machine.ts'
import { type Calm, measureLoss, measureStall } from './calm.ts'
import { contenders } from './contenders.ts'
import { type Gaps, measureGaps } from './gap.ts'
import { type Many, measureMany } from './many.ts'
import { calmTable, gapTable, manyTable, page } from './report.ts'

const output = fileURLToPath(new URL('../../docs/bench/layer2.md', import.meta.url))
const parts = ['gap', 'many', 'stall', 'loss'] as const

const { values } = parseArgs({
  options: {
    part: { type: 'string', multiple: true },
    losses: { type: 'string', default: '50' },
    /** For other programs: they take longer to recover, and vary less. */
    'peer-losses': { type: 'string', default: '20' },
    /** Runs only contenders whose name contains this. */
    only: { type: 'string', default: '' },
    services: { type: 'string', default: '1000,5000' },
    stalls: { type: 'string', default: '30' },
    minutes: { type: 'string', default: '10' },
  },
})

const say = (text: string): void => {
  const load = loadavg()[0]?.toFixed(1)
  process.stderr.write(`${(performance.now() / 1000).toFixed(0)} s: ${text} (load ${load})\n`)
}
const isAsked = (part: (typeof parts)[number]): boolean => values.part?.includes(part) ?? true

async function gapPart(): Promise<Gaps[]> {
  const { METALLB_SPEAKER } = process.env
  const gaps: Gaps[] = []
  for (const contender of contenders(METALLB_SPEAKER)) {
    if (!contender.name.includes(values.only)) continue
    const isOurs = contender.name.startsWith('Berth')
    const losses = Number(isOurs ? values.losses : values['peer-losses'])
    gaps.push(await measureGaps(contender, losses, say))
    process.stdout.write(`${gapTable(gaps)}\n\n`)
  }
  return gaps
}

async function manyPart(): Promise<Many[]> {
  const many: Many[] = []
  for (const count of values.services.split(',').map(Number)) {
    many.push(await measureMany(count, say))
    process.stdout.write(`${manyTable(many)}\n\n`)
  }
  return many
}

async function calmPart(): Promise<Calm[]> {
  const calm: Calm[] = []
  if (isAsked('stall')) calm.push(await measureStall(Number(values.stalls), say))
  if (isAsked('loss')) calm.push(await measureLoss(Number(values.minutes), say))
  if (calm.length > 0) process.stdout.write(`${calmTable(calm)}\n\n`)
  return calm
}

const where = machine()
const gaps = isAsked('gap') ? await gapPart() : []
const many = isAsked('many') ? await manyPart() : []
const calm = await calmPart()
const isWhole = values.part === undefined && values.only === ''
if (isWhole) writeFileSync(output, page({ machine: where, gaps, many, calm }))
