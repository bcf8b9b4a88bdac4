// What does a page or a program get to read about a plan? Plain data under a named schema.
import { problemRemedies } from '../model/problem.ts'
import type { Plan } from './plan.ts'

export function planView(plan: Plan, troubles: readonly string[]): object {
  const {
    addresses,
    announcements,
    silences,
    knowsNodes,
    sessions,
    hosts,
    names,
    routes,
    made,
    unmade,
    interfaces,
    nodeRoutes,
    problems,
  } = plan
  return {
    schema: 'berth.dev/plan/v1',
    isComplete: troubles.length === 0,
    troubles,
    addresses: addresses.map(({ waits, ...change }) => ({ ...change, ...waits })),
    announcements,
    silences,
    knowsNodes,
    sessions,
    hosts,
    names,
    routes,
    made,
    unmade,
    interfaces,
    nodeRoutes,
    problems: problems.map(({ problem, is }) => ({
      is,
      ...problem,
      remedy: problemRemedies[problem.code],
    })),
  }
}
