// What if another replica is faster? Then look again what is left to do, and how it is now.
import { ApiError } from '../api/fault.ts'

const attempts = 5

/** `attempt` reads, compares and writes under the version that it read. */
export async function untilInTime<T>(attempt: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      const isLate = error instanceof ApiError && error.code === 409
      if (!isLate || failures === attempts) throw error
    }
  }
}
