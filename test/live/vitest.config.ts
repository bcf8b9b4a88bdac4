// The scenarios once more, through real APIs and the real controller.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/live/*.suite.ts'],
    globalSetup: ['test/live/setup.ts'],
    fileParallelism: false,
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
  },
})
