import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/kube/*.suite.ts'],
    globalSetup: ['test/kube/setup.ts'],
    // One API server for all: what one suite does to it must not meet another.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
