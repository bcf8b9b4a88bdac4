// Is it the same process that speaks? Its incarnation tells its start and how often it objected.

/** A process that was started later has an incarnation far above all refutations of this one. */
export const lifeStep = 1000

export const firstIncarnation = (bornMs: number): number => Math.floor(bornMs) * lifeStep

/** Whether the same process objected, rather than that another one was started. */
export const isSameLife = (before: number, after: number): boolean =>
  after >= before && after - before < lifeStep
