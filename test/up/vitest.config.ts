// `berth up` as a user runs it: the program itself, killed, filled up, crowded and asked badly.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/up/*.suite.ts'],
    globalSetup: ['test/up/setup.ts'],
    // Each starts programs and measures them: side by side they would disturb each other.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
