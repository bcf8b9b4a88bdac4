// What is wrong with the whole configuration? Every source of problems, in one stated order.
import type { Problem } from '../model/problem.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Speakers } from './announce/advertise.ts'
import { announceProblems } from './announce/announceProblems.ts'
import { madeProblems } from './decideTenant.ts'
import { netConfigProblems } from './ipam/netConfigProblems.ts'
import { nodeProblems } from './ipam/nodeProblems.ts'
import { hostProblems } from './made/hosts/hostProblems.ts'
import { siteProblems } from './made/site/siteProblems.ts'
import { nameProblems } from './names/nameProblems.ts'
import { ownProblems } from './ownProblems.ts'
import { podRouteProblems } from './podRoutes/podRouteProblems.ts'
import { ledgerProblems } from './wires/ledgerProblems.ts'

export function problems(world: ReadonlyWorld, speakers: Speakers): Problem[] {
  const found = [
    ...ownProblems(world),
    ...madeProblems(world),
    ...hostProblems(world),
    ...siteProblems(world),
    ...announceProblems(world, speakers),
    ...ledgerProblems(world),
    ...nodeProblems(world),
    ...netConfigProblems(world),
    ...nameProblems(world),
    ...podRouteProblems(world),
  ]
  const text = ({ object, code, message }: Problem) => `${object}\n${code}\n${message}`
  const once = new Map(found.map((problem) => [text(problem), problem]))
  return [...once.values()].sort((a, b) => (text(a) < text(b) ? -1 : 1))
}
