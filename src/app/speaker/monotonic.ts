// What time is it, for all threads of this process alike? performance.now() begins anew in each,
// but process.hrtime.bigint() makes a number that is thrown away, many times a second.

const beganMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()

export const monotonicMs = (): number => beganMs + performance.now()
