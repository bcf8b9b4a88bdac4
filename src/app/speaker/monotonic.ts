// What time is it, on one scale for all threads? performance.now() starts at zero in each thread;
// process.hrtime.bigint() allocates a BigInt on every call, many times a second.

const beganMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()

export const monotonicMs = (): number => beganMs + performance.now()
