// What time is it, for all threads of this process alike? performance.now() begins anew in each.

export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6
