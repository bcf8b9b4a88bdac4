// Which seeds has nobody tried? One at random, and those that follow it; BERTH_SOAK_SEED repeats one.
import { randomInt } from 'node:crypto'

export const firstSeed = Number(process.env['BERTH_SOAK_SEED'] ?? randomInt(2 ** 31 - 10_000))
